//! Statistics against their definitions, their invariances and the numbers of their peers: one program, which is linked once.

mod common;
mod definitions;
mod definitions_change_points;
mod definitions_dip;
mod definitions_pooled;
mod definitions_ranks;
mod definitions_resampling;
mod definitions_shape;
mod definitions_structure;
mod invariances;
mod invariances_ranks;
mod invariances_resampling;
mod invariances_shape;
mod invariances_structure;
mod reference;
mod reference_ranks;
mod reference_resampling;
mod reference_shape;
mod reference_structure;

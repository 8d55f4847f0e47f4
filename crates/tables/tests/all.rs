//! Tables of rows and their fields: one program, which is linked once.

mod corpus;
mod fields;

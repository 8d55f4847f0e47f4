//! hodges_lehmann

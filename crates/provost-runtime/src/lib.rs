//! The effects of Provost: everything that touches the world, driven by the rules of `provost-core`.

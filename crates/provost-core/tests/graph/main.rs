//! Graphs as others see them: each rule of construction as a story, each defect once, random outlines, drawings.
#![cfg(test)]

mod defects;
mod drawings;
mod finals;
mod order;
mod random;
mod sample;
mod stories;

//! The pages that agents get: seen whole, complete, and unable to speak for an agent.
#![cfg(test)]

mod example;
mod hostile;
mod pages;

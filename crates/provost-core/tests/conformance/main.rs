//! Do tables, specification and documents say the same? Apart from the unit tests because it reads the repository's
//! documents, which the library itself never does.

#![expect(clippy::disallowed_methods, reason = "tests read the documents that they compare")]

#[cfg(test)]
mod events;
#[cfg(test)]
mod glossary;
#[cfg(test)]
mod pages;
#[cfg(test)]
mod schemas;
#[cfg(test)]
mod source;
#[cfg(test)]
mod source_delivery;
#[cfg(test)]
mod source_loops;
#[cfg(test)]
mod source_planning;
#[cfg(test)]
mod spec;
#[cfg(test)]
mod tables;

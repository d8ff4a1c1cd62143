//! What a planning run is given: intents, policies, references, questions and answers, whole, at the edge of every
//! bound, and hostile.

#[cfg(test)]
mod answers;
#[cfg(test)]
mod effective;
#[cfg(test)]
mod form;
#[cfg(test)]
mod red_lines;
#[cfg(test)]
mod references;
#[cfg(test)]
mod sample;
#[cfg(test)]
mod seals;

//! What agents may cost before a person is asked, as the file says it: dollars and tokens, never a fraction of a
//! millionth.

use serde_json::json;
use toml::de::{DeTable, DeValue};

use super::reading::{Reading, Value};

/// The most dollars that can be set; more would not be exact.
const DOLLARS_MAX: f64 = 1e9;

impl Reading<'_> {
    pub(super) fn spend(&mut self, table: &DeTable<'_>) {
        self.only(table, &["task_usd", "delivery_usd", "task_tokens"]);
        let task = table.get("task_usd").and_then(|value| self.dollars("spend.task_usd", value));
        let delivery = table.get("delivery_usd").and_then(|value| self.dollars("spend.delivery_usd", value));
        let tokens =
            table.get("task_tokens").and_then(|value| self.number("spend.task_tokens", 1, u32::MAX, value));
        let spend = &mut self.config.spend;
        (spend.task_micro_usd, spend.delivery_micro_usd) = (task, delivery);
        spend.task_tokens = tokens.map(u64::from);
        for name in ["task_usd", "delivery_usd", "task_tokens"] {
            let value = table.get(name);
            let shown = value.map_or(json!(null), |value| json!(spelling(value)));
            let origin = self.origin(value);
            self.show(format!("spend.{name}"), shown, origin);
        }
    }

    /// An amount in dollars, in millionths.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the amount is within the range that is exact, and not negative"
    )]
    fn dollars(&mut self, name: &str, value: &Value<'_>) -> Option<u64> {
        let amount = spelling(value).parse::<f64>().ok().filter(|it| *it > 0.0 && *it <= DOLLARS_MAX);
        if amount.is_none() {
            let message = format!("`{name}` must be an amount in dollars, such as 2.5");
            self.wrong(message, value.span());
        }
        amount.map(|amount| (amount * 1e6).round() as u64)
    }
}

/// A number as the file spells it.
fn spelling(value: &Value<'_>) -> String {
    match value.get_ref() {
        DeValue::Integer(number) => number.as_str().to_owned(),
        DeValue::Float(number) => number.as_str().to_owned(),
        _ => String::new(),
    }
}

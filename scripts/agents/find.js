// Prints the sequence of the first record that a condition holds for, and fails where there is none.
// usage: provost log --json | node find.js 'r.event_type === "critic_fail"'
'use strict';

const lines = require('node:fs').readFileSync(0, 'utf8').split('\n').filter(Boolean);
const all = lines.map((line) => JSON.parse(line));
// Beside one record `r` a condition may look at `all` of them, and at `its`, the details.
const holds = new Function('r', 'its', 'all', `return (${process.argv[2]});`);
const found = all.find((r) => holds(r, r.details ?? {}, all));
if (!found) process.exit(1);
console.log(found.sequence);

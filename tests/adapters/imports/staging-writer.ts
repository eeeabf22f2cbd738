// A process of its own for the spec of the staging area: stages more facts than its cache holds, reports it, and waits to be ended.
import { openImportStaging } from '../../../src/adapters/imports/staging.js';
import { report } from '../child.js';
import { grantOf } from './staged-facts.js';

const staging = openImportStaging();
for (let n = 0; n < 60_000; n++) staging.add([grantOf(`customer-${n}`)]);
report(String((await staging.group()).facts));
process.stdin.resume();

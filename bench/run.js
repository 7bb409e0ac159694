// `npm run bench`: measures the service next to bare handlers (service.js), or next to another commit (against.js).
import { measureAgainst } from './against.js';

const at = process.argv.indexOf('--against');
const commit = process.argv[at + 1];
if (at === -1) await import('./service.js');
else if (commit === undefined) throw new Error('Name a commit: npm run bench -- --against COMMIT');
else await measureAgainst(commit);

// `npm run long -- attack`: attacks a real process over HTTP on loopback, as issue 11 did, and prints a line with a figure for each
// attack. Exits with 1 when one of them succeeds. `-- --short` leaves out the long ones (CI); `-- WORD` runs those whose name
// contains the word. It needs Linux, which shows how many sockets a process has open.
//
// To add attacks, add a file that exports a list of them, and name it below. An attack has a `name` that says what must be true,
// `long: true` when it takes more than about ten seconds, and `run()`, which returns `{ ok, figure }`. What `prepare()` does before that may take
// minutes.
import { burstAttacks } from './bursts.js';
import { httpAttacks } from './http.js';
import { neighbourAttacks } from './neighbours.js';
import { peopleAttacks } from './people.js';
import { quotaAttacks } from './quotas.js';
import { shutdownAttacks } from './shutdown.js';
import { socketAttacks } from './sockets.js';
import { disposeAll } from './target.js';

const ATTACKS = [
  ...[...socketAttacks, ...shutdownAttacks, ...httpAttacks],
  ...[...peopleAttacks, ...quotaAttacks, ...neighbourAttacks, ...burstAttacks],
];
/** Ends an attack that hangs. */
const LIMIT_MS = 900_000;

const given = process.argv.slice(2);
const short = given.includes('--short');
const words = given.filter((argument) => argument !== '--short');
const chosen = ATTACKS.filter(
  ({ name, long = false }) =>
    !(short && long) && words.every((word) => name.toLowerCase().includes(word.toLowerCase())),
);
if (chosen.length === 0) throw new Error('No attack has such a name');

/** The result of an attack; one that throws or hangs has failed. */
async function attempt({ prepare = () => undefined, run }) {
  let limit;
  try {
    await prepare();
    const hanging = new Promise((resolve) => {
      limit = setTimeout(resolve, LIMIT_MS, { ok: false, figure: `no result after ${LIMIT_MS / 1000} s` });
    });
    return await Promise.race([run(), hanging]);
  } catch (error) {
    return { ok: false, figure: error instanceof Error ? error.stack : String(error) };
  } finally {
    clearTimeout(limit);
  }
}

let failed = 0;
for (const attack of chosen) {
  const began = performance.now();
  const { ok, figure } = await attempt(attack);
  if (!ok) failed++;
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`${ok ? 'ok    ' : 'FAILED'}  ${attack.name}: ${figure} (${seconds} s)`);
}
console.log(`${chosen.length - failed} of ${chosen.length} attacks failed to do harm`);
await disposeAll();
process.exit(failed > 0 ? 1 : 0);

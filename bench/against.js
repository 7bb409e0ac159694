// Measures this checkout next to another commit: `npm run bench -- --against COMMIT`. It builds the commit in a temporary folder,
// and measures both in turns, each with a store of its own: requests per second, and the processor time of the service until
// everything that follows a request is done. It prints a table, and takes about four minutes.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median, repeat } from './http.js';
import { shopCaller } from './service/callers.js';
import { perform, rest } from './service/compare.js';
import { circumstances, table } from './service/report.js';
import { checkout, paidOrder, validation } from './service/requests.js';
import { withService } from './with-service.js';

const ROOT = join(import.meta.dirname, '..');
const [ROUND_MS, ROUNDS, CLIENTS] = [2_000, 5, 16];
const SETTINGS = {
  JWT_SECRET: 'a secret of the benchmark that is long enough for HS256',
  ENCRYPTION_KEY: 'be'.repeat(32),
  SMTP_URL: 'none',
};
/** A tick of the clock by which Linux counts processor time. */
const TICK_MS = 10;

const publicCatalogue = { name: 'public catalogue', next: ({ shopId }) => ({ path: `/products/public/${shopId}` }) };
const MEASURED = [validation, checkout, paidOrder, publicCatalogue];

/** Builds a commit in a folder of its own, and calls `work` with its compiled service. */
async function withCommit(commit, work) {
  const folder = mkdtempSync(join(tmpdir(), 'shop-platform-against-'));
  const run = (cwd, command, ...args) => execFileSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  try {
    run(ROOT, 'git', 'worktree', 'add', '--detach', folder, commit);
    run(folder, 'npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error');
    run(folder, 'npm', 'run', '--silent', 'build');
    await work(join(folder, 'dist', 'app', 'main.js'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
    run(ROOT, 'git', 'worktree', 'prune');
  }
}

/** The processor time of a process so far, in milliseconds (proc(5): the 14th and 15th field, the second one may contain blanks). */
function processorMsOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

async function openSide(service) {
  const callers = [];
  while (callers.length < CLIENTS) callers.push(await shopCaller(service, callers.length));
  return { ...service, callers };
}

/** @returns how many were done a second, and the processor time of each in milliseconds */
async function round({ api, callers, database, pid }, request) {
  await rest(database);
  const before = processorMsOf(pid);
  const { count, rate } = await repeat((client) => perform(api, request, callers[client], client), ROUND_MS, CLIENTS);
  await rest(database);
  return { rate, processorMs: (processorMsOf(pid) - before) / count };
}

async function compareSides(other, own) {
  const rows = [];
  for (const request of MEASURED) {
    for (const side of [other, own]) await round(side, request);
    const rounds = [];
    while (rounds.length < ROUNDS) rounds.push([await round(other, request), await round(own, request)]);
    const cells = ['rate', 'processorMs'].flatMap((figure) => {
      const [before, now] = [0, 1].map((side) => median(rounds.map((pair) => pair[side][figure])));
      const ratio = median(rounds.map(([one, two]) => two[figure] / one[figure]));
      return [before.toFixed(1), now.toFixed(1), ratio.toFixed(2)];
    });
    rows.push([request.name, ...cells]);
    console.error(rows.at(-1).join(' | '));
  }
  return rows;
}

/** @param commit anything that git takes for a commit */
export async function measureAgainst(commit) {
  const introduction = circumstances();
  await withCommit(commit, (main) =>
    withService(
      async (before) => {
        const other = await openSide(before);
        await withService(async (now) => {
          const rows = await compareSides(other, await openSide(now));
          const head = [
            `Next to ${commit}`,
            'Per second: it',
            'this checkout',
            'ratio',
            'Processor ms: it',
            'this checkout',
            'ratio',
          ];
          console.log([introduction, table(head, rows)].join('\n\n'));
        }, SETTINGS);
      },
      SETTINGS,
      main,
    ),
  );
}

#!/usr/bin/env node
/**
 * A plugin of a game server, as one script without dependencies: it leases deliveries, runs their commands, and reports them.
 * Purchases, take-backs and expiries are the same to it.
 * To turn it into a real plugin, replace `onlinePlayers`, `uuidOf` and `runCommand`. The rest makes sure that items are
 * neither delivered twice nor lost:
 *
 * - Before the first command of a delivery it writes `start` into its journal, after the last one `done`, and forces both to
 *   the disk. After a crash the journal shows what ran.
 * - It reports everything that the journal has before it leases anything new. So everything that it leases has never run here, or
 *   staff have queued it again.
 * - Where the journal has `start` without `done`, nobody knows how much ran. That is reported as failed, and staff decide.
 * - It starts nothing whose lease has ended: another client may have it by now.
 */
import { appendFileSync, closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

const once = process.argv.includes('--once');
const url = setting('SHOP_URL');
const shopId = setting('SHOP_ID');
const serverId = setting('SERVER_ID');
const key = setting('PLUGIN_KEY');
const consoleFile = process.env.CONSOLE_FILE ?? 'data/console.log';
const journalFile = process.env.JOURNAL_FILE ?? 'data/plugin-journal.jsonl';

/** How many deliveries to lease at once: no more than this client can run before the lease ends. */
const LEASE_LIMIT = 20;
/** Reports with their outputs must fit into a body of 32 KB. A letter can have several bytes. */
const REPORTS_PER_REQUEST = 20;
const MAX_REPORT_BYTES = 30_000;
const MAX_OUTPUT_LENGTH = 1_000;
const MAX_JOURNAL_BYTES = 1_000_000;
const REQUEST_TIMEOUT_MS = 15_000;
const PAUSE_AFTER_ERROR_MS = 5_000;
const knownUuids = new Map();
const INTERRUPTED = 'The plugin stopped while it ran the commands. Check what the player has before you redeliver.';

function setting(name) {
  const value = process.env[name];
  if (value) return value;
  console.error(`Set ${name}. See examples/plugin-client/README.md.`);
  process.exit(1);
}

/** The players who are online now. Replace it. */
function onlinePlayers() {
  return (process.env.PLAYERS ?? '').split(',').filter((name) => name !== '');
}

/** The UUID of a player, which only the game server knows; null: unknown. Replace it. */
function uuidOf(nickname) {
  return knownUuids.get(nickname) ?? null;
}

/** Runs a command and returns what the console printed. Replace it. */
function runCommand(command) {
  appendFileSync(consoleFile, `${command}\n`);
  return `> ${command}`;
}

/** What happened here, one JSON object for each line. Each line is on the disk before `write` returns. */
class Journal {
  /** The latest entry of each delivery that is not reported. */
  unreported = new Map();

  constructor(file) {
    const text = read(file);
    for (const line of text.split('\n')) this.#apply(parsed(line));
    if (text.length > MAX_JOURNAL_BYTES) this.#rewrite(file);
    this.descriptor = openSync(file, 'a');
    // A crash can leave half a line behind.
    if (text !== '' && !text.endsWith('\n')) writeSync(this.descriptor, '\n');
  }

  write(entry) {
    writeSync(this.descriptor, `${JSON.stringify(entry)}\n`);
    fsyncSync(this.descriptor);
    this.#apply(entry);
  }

  #apply(entry) {
    if (entry === null) return;
    if (entry.event === 'reported') this.unreported.delete(entry.deliveryId);
    else this.unreported.set(entry.deliveryId, entry);
  }

  /** Keeps only what is not reported yet. */
  #rewrite(file) {
    const descriptor = openSync(`${file}.new`, 'w');
    for (const entry of this.unreported.values()) writeSync(descriptor, `${JSON.stringify(entry)}\n`);
    fsyncSync(descriptor);
    closeSync(descriptor);
    renameSync(`${file}.new`, file);
  }
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return '';
    throw error;
  }
}

function parsed(line) {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

/** Calls the service. Throws an error with `retryAfterMs` for any response but 200. */
async function call(path, body) {
  const response = await fetch(`${url}/deliveries/${shopId}/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': key },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  });
  const { data, error: sentence } = await response.json();
  if (response.status === 200) return { data, sentAt: Date.parse(response.headers.get('date')) };
  const error = new Error(`${path}: ${response.status} ${sentence}`);
  error.retryAfterMs = Number(response.headers.get('retry-after') ?? 0) * 1_000;
  throw error;
}

/** Runs a delivery between two lines of the journal. */
function run(journal, { deliveryId, attempt, kind, nickname, commands, possiblyExecuted }) {
  journal.write({ event: 'start', deliveryId, attempt, possiblyExecuted });
  const output = [];
  let status = 'delivered';
  try {
    for (const command of commands) output.push(runCommand(withUuid(command, nickname)));
  } catch (error) {
    status = 'failed';
    output.push(`${error.message}; ${output.length} of ${commands.length} commands ran`);
  }
  const kept = output.join('\n').slice(0, MAX_OUTPUT_LENGTH);
  journal.write({ event: 'done', deliveryId, attempt, status, output: kept });
  console.log(`${kind} ${status}: ${commands.join('; ')}`);
}

function withUuid(command, nickname) {
  if (!command.includes('{uuid}')) return command;
  const uuid = uuidOf(nickname);
  if (uuid === null) throw new Error(`The UUID of ${nickname} is not known`);
  return command.replaceAll('{uuid}', () => uuid);
}

/** The reports for one request after the other. */
function* requestsOf(reports) {
  let [results, bytes] = [[], 0];
  for (const one of reports) {
    const size = Buffer.byteLength(JSON.stringify(one)) + 1;
    if (results.length === REPORTS_PER_REQUEST || (results.length > 0 && bytes + size > MAX_REPORT_BYTES)) {
      yield results;
      [results, bytes] = [[], 0];
    }
    results.push(one);
    bytes += size;
  }
  if (results.length > 0) yield results;
}

/** Reports everything that the journal has. */
async function report(journal) {
  const reports = [...journal.unreported.values()]
    .map((entry) => (entry.event === 'done' ? entry : { ...entry, status: 'failed', output: INTERRUPTED }))
    .map(({ deliveryId, attempt, status, output }) => ({ deliveryId, attempt, status, output }));
  for (const results of requestsOf(reports)) {
    const { data } = await call('ack', { results });
    // Also reports that were not accepted: the service has a newer one.
    for (const { deliveryId, attempt } of data.results) journal.write({ event: 'reported', deliveryId, attempt });
  }
}

/** One round. Returns how long to wait before the next one, in milliseconds. */
async function round(journal) {
  await report(journal);
  const askedAt = performance.now();
  const { data, sentAt } = await call('lease', { serverId, players: onlinePlayers(), limit: LEASE_LIMIT });
  for (const delivery of data.deliveries) {
    // The clock of this machine may be wrong, so the length of the lease comes from the clock of the service, and the time
    // is counted from before the request. The header `Date` has whole seconds, so one second is subtracted.
    const leaseMs = Date.parse(delivery.leaseUntil) - sentAt - 1_000;
    const isOver = performance.now() - askedAt >= leaseMs;
    const isAway = delivery.requiresOnline && !isOnline(delivery.nickname);
    // A delivery that does not run here is not reported, so the service offers it again.
    if (!isOver && !isAway) run(journal, delivery);
  }
  await report(journal);
  return data.nextPollSeconds * 1_000;
}

function isOnline(nickname) {
  return onlinePlayers().some((name) => name.toLowerCase() === nickname.toLowerCase());
}

const journal = new Journal(journalFile);
do {
  try {
    const pauseMs = await round(journal);
    if (!once) await sleep(pauseMs);
  } catch (error) {
    console.error(error.message);
    if (once) process.exit(1);
    await sleep(Math.max(error.retryAfterMs ?? 0, PAUSE_AFTER_ERROR_MS));
  }
} while (!once);

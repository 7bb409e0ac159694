// A headless Chromium that Node drives over the DevTools protocol (https://chromedevtools.github.io/devtools-protocol/), through
// two pipes. It opens no port.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const POLL_MS = 20;
/** Ends a wait that hangs. It is long, so that no result depends on the speed of the machine. */
const PATIENCE_MS = 120_000;
/** Width and height of the screens on which pages are looked at. The phone comes last: on it a buyer goes on. */
export const SIZES = { desk: [1280, 900], phone: [360, 740] };

/** Starts a Chromium with an empty profile. @param command the path of the binary */
export async function startBrowser(command) {
  const profile = mkdtempSync(join(tmpdir(), 'shop-platform-chromium-'));
  const child = spawn(
    command,
    [
      ...['--headless=new', '--remote-debugging-pipe', `--user-data-dir=${profile}`, '--no-first-run', '--disable-gpu'],
      // Root cannot use the sandbox. The browser opens nothing but our own page.
      ...['--no-sandbox', '--disable-dev-shm-usage', '--disable-background-networking', '--disable-extensions'],
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'], detached: true },
  );
  const exited = once(child, 'exit');
  let complaints = '';
  child.stderr.on('data', (chunk) => (complaints += chunk));
  const connection = connect(child, () => complaints);
  return {
    openPage: () => openPage(connection),
    async close() {
      // The whole group: its other processes write to the profile, too.
      process.kill(-child.pid, 'SIGKILL');
      await exited;
      await rm(profile, { recursive: true, force: true, maxRetries: 20 });
    },
  };
}

/** Messages are JSON, each with a zero byte at its end. */
function connect(child, complaints) {
  const [, , , commands, responses] = child.stdio;
  const waiting = new Map();
  const listeners = [];
  let last = 0;
  let rest = '';
  responses.setEncoding('utf8').on('data', (chunk) => {
    const messages = (rest + chunk).split('\0');
    rest = messages.pop();
    for (const message of messages.map((text) => JSON.parse(text))) {
      if (message.id === undefined) for (const listener of listeners) listener(message);
      else if (message.error === undefined) waiting.get(message.id)?.resolve(message.result);
      else waiting.get(message.id)?.reject(new Error(message.error.message));
      waiting.delete(message.id);
    }
  });
  child.once('exit', () => {
    for (const { reject } of waiting.values()) reject(new Error(`Chromium ended:\n${complaints()}`));
  });
  commands.on('error', () => {});
  return {
    listen: (listener) => listeners.push(listener),
    send: (method, params = {}, sessionId = undefined) =>
      new Promise((resolve, reject) => {
        const id = ++last;
        const late = setTimeout(() => {
          reject(new Error(`Chromium does not respond to ${method} ${JSON.stringify(params)}:\n${complaints()}`));
        }, PATIENCE_MS);
        const ends = (end) => (value) => {
          clearTimeout(late);
          end(value);
        };
        waiting.set(id, { resolve: ends(resolve), reject: ends(reject) });
        commands.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
      }),
  };
}

/** Opens a tab, and records what its console says and which responses it gets. */
async function openPage({ send, listen }) {
  const { targetId } = await send('Target.createTarget', { url: 'about:blank' });
  const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
  const command = (method, params) => send(method, params, sessionId);
  /** Warnings and errors of the console, exceptions, and what the browser itself reports, such as blocked requests. */
  const complaints = [];
  const responses = [];
  /** Request -> its URL and the document that it is for. */
  const inFlight = new Map();
  listen(({ sessionId: session, method, params }) => {
    if (session !== sessionId) return;
    const { type, args, exceptionDetails, entry } = params;
    if (method === 'Runtime.consoleAPICalled' && ['error', 'warning', 'assert'].includes(type)) {
      complaints.push(`console: ${args.map(({ value, description }) => value ?? description).join(' ')}`);
    }
    if (method === 'Runtime.exceptionThrown') complaints.push(`exception: ${exceptionDetails.exception?.description}`);
    if (method === 'Log.entryAdded' && entry.level !== 'info') complaints.push(`${entry.source}: ${entry.text}`);
    // The clicks here are calls of scripts, and the browser says that no person made them.
    const details = method === 'Audits.issueAdded' ? JSON.stringify(params.issue.details) : null;
    if (details && !/NavigationEntryMarkedSkippable|bounceTrackingIssueDetails/.test(details))
      complaints.push(`issue: ${details}`);
    if (method === 'Network.requestWillBeSent')
      inFlight.set(params.requestId, { url: params.request.url, loaderId: params.loaderId });
    // Nothing says how the requests of a document end that the tab has left.
    if (method === 'Page.frameNavigated' && params.frame.parentId === undefined)
      for (const [id, { loaderId }] of inFlight) if (loaderId !== params.frame.loaderId) inFlight.delete(id);
    if (method === 'Network.loadingFinished' || method === 'Network.loadingFailed') inFlight.delete(params.requestId);
    if (method === 'Network.loadingFinished') {
      const body = command('Network.getResponseBody', { requestId: params.requestId });
      responses.push(body.then(({ body: text }) => text).catch(() => ''));
    }
  });
  for (const domain of ['Page', 'Runtime', 'Log', 'Network', 'Audits']) await command(`${domain}.enable`);

  /** Runs a function of no outer variables in the page. Returns its JSON result. */
  const run = async (work, ...args) => {
    const expression = `(${work})(...${JSON.stringify(args)})`;
    const options = { expression, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = await command('Runtime.evaluate', options);
    if (exceptionDetails !== undefined)
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  };
  return {
    run,
    /** A command of the DevTools protocol for this tab. */
    command,
    go: (url) => command('Page.navigate', { url }),
    /** The complaints of the browser since the last call. */
    complaints: () => complaints.splice(0),
    /** The bodies of all responses so far. */
    bodies: () => Promise.all(responses),
    /** Gives the tab the size of a phone or of a desk. @param mobile whether it is as zoomable as that of a phone */
    resize(size, mobile = size === 'phone') {
      const [width, height] = SIZES[size];
      return command('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile });
    },
    /** Shows the pages in light or dark. They change at once, so that nothing is measured or photographed on its way to another colour. */
    prefers: (mode) =>
      command('Emulation.setEmulatedMedia', {
        features: [
          { name: 'prefers-color-scheme', value: mode },
          { name: 'prefers-reduced-motion', value: 'reduce' },
        ],
      }),
    /** Waits until the page is complete and no request is on its way. */
    async settles() {
      const deadline = performance.now() + PATIENCE_MS;
      while (inFlight.size > 0 || !(await run(() => document.readyState === 'complete'))) {
        if (performance.now() > deadline) throw new Error(`No end: ${JSON.stringify([...inFlight.values()])}`);
        await pause(POLL_MS);
      }
    },
    /** Waits until the text of an element matches. */
    async shows(selector, pattern) {
      const deadline = performance.now() + PATIENCE_MS;
      for (;;) {
        const text = await run((wanted) => document.querySelector(wanted)?.innerText ?? '', selector);
        if (pattern.test(text)) return text;
        if (performance.now() > deadline) throw new Error(`${selector} shows ${JSON.stringify(text)}, not ${pattern}`);
        await pause(POLL_MS);
      }
    },
    click: (selector) => run((wanted) => document.querySelector(wanted).click(), selector),
    /** Types as a buyer does, so that the page gets the input event. */
    type: (selector, text) =>
      run(
        (wanted, value) => {
          const field = document.querySelector(wanted);
          field.value = value;
          field.dispatchEvent(new Event('input', { bubbles: true }));
        },
        selector,
        text,
      ),
  };
}

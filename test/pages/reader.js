// What a person does with the pages of the service in a tab of headless Chromium, and what axe-core says about a page.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import axe from 'axe-core';
import { SIZES } from '../storefront/browser.js';

export const SCREENSHOTS = join(import.meta.dirname, '..', '..', 'reports', 'pages');
const POLL_MS = 50;
/** Ends a wait that hangs. It is long, so that no result depends on the speed of the machine. */
const PATIENCE_MS = 120_000;

/** Waits until work returns something. @param state what the error shows besides the work */
export async function eventually(work, state = () => '') {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const found = await work();
    if (found) return found;
    if (performance.now() > deadline) throw new Error(`Waited in vain for ${work}\nLast state: ${state()}`);
    await pause(POLL_MS);
  }
}

/** What a person does in the tab. */
export function readerOf(page) {
  /** The tab is between two pages for a moment. */
  const look = (work, ...args) => page.run(work, ...args).catch(() => null);
  const reader = {
    ...page,
    /** Waits until the page is complete and the text of an element matches. */
    shows: (selector, pattern) => {
      let text;
      return eventually(
        async () => {
          text = await look(
            (wanted) => document.readyState === 'complete' && document.querySelector(wanted)?.innerText,
            selector,
          );
          return pattern.test(text || '');
        },
        () => `${selector} shows ${JSON.stringify(text)}, not ${pattern}`,
      );
    },
    /** Waits until an element has the focus: the browser gives it after the page is complete. */
    focuses: (selector) =>
      eventually(
        () => look((wanted) => document.activeElement?.matches(wanted), selector),
        () => `${selector} has no focus`,
      ),
    submit: (selector) => page.run((wanted) => document.querySelector(wanted).submit(), selector),
    /** Lets the pages run no script, as a browser that blocks them. */
    withoutScripts: (value) => page.command('Emulation.setScriptExecutionDisabled', { value }),
    type: (selector, text) =>
      page.run((wanted, value) => (document.querySelector(wanted).value = value), selector, text),
    /** Checks the page as a person with a phone, a person at a desk, and axe-core do. */
    async inspect(name, { rules = {}, sizes = Object.keys(SIZES), modes = ['light'] } = {}) {
      for (const [size, mode] of sizes.flatMap((one) => modes.map((other) => [one, other]))) {
        const [width] = SIZES[size];
        const view = mode === 'light' ? size : `${size}-${mode}`;
        await page.prefers(mode);
        await page.resize(size);
        // The picture is that of the last frame.
        await page.run(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
        const { data } = await page.command('Page.captureScreenshot', { captureBeyondViewport: true });
        writeFileSync(join(SCREENSHOTS, `${name}-${view}.png`), Buffer.from(data, 'base64'));
        // Not `innerWidth`: on a phone, that grows with the page.
        const facts = await page.run(
          (screen) => ({
            scripts: [...document.scripts].filter(({ src }) => !/\/assets\/[\da-f]+\/storefront\.js$/.test(src)).length,
            wider: document.documentElement.scrollWidth > screen,
            unfilled: /undefined|\bnull\b|NaN|\[object|<%|\{\w+\}/.exec(document.body.innerText)?.[0],
          }),
          width,
        );
        assert.deepEqual(facts, { scripts: 0, wider: false }, `${name} (${view})`);
        await page.command('Runtime.evaluate', { expression: axe.source });
        const violations = await page.run(
          async (changes) => (await globalThis.axe.run({ rules: changes })).violations,
          rules,
        );
        const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
        assert.deepEqual(found, [], `${name} (${view})`);
      }
    },
    /** Presses the Tab key until it has been everywhere. @returns how many controls it has reached, and how many there are */
    async tabThrough() {
      const controls = 'a[href], button, summary, input:not([type=hidden])';
      const count = await page.run(
        (all) => [...document.querySelectorAll(all)].filter((one) => one.checkVisibility()).length,
        controls,
      );
      const reached = new Set();
      for (let press = 0; press < 2 * count; press++) {
        for (const type of ['keyDown', 'keyUp']) {
          await page.command('Input.dispatchKeyEvent', { type, key: 'Tab', code: 'Tab', windowsVirtualKeyCode: 9 });
        }
        reached.add(
          await page.run((all) => [...document.querySelectorAll(all)].indexOf(document.activeElement), controls),
        );
      }
      reached.delete(-1);
      return { reached: reached.size, count };
    },
    speak: (language) => page.command('Network.setExtraHTTPHeaders', { headers: { 'Accept-Language': language } }),
  };
  return reader;
}

// What a person does with a page of the console in a tab of headless Chromium, and what axe-core says about the page.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import { SCREENSHOTS } from '../pages/reader.js';

/** The desk comes last: at it a person goes on. */
const VIEWS = ['phone', 'desk'].flatMap((size) => ['light', 'dark'].map((mode) => [size, mode]));

/** @param api the URL of the API */
export function personAt(page, api) {
  const person = {
    ...page,
    /** React notices only values that are set as the browser sets them. @param field its label, or a selector */
    fill: (field, text) =>
      page.run(
        async (wanted, value) => {
          const find = () =>
            [...document.querySelectorAll('label')].find(({ innerText }) => innerText.trim() === wanted)?.control ??
            document.querySelector(wanted);
          while (find() === null) await new Promise((done) => setTimeout(done, 20));
          const control = find();
          Object.getOwnPropertyDescriptor(control.constructor.prototype, 'value').set.call(control, value);
          control.dispatchEvent(new Event(control.matches('select') ? 'change' : 'input', { bubbles: true }));
        },
        field,
        text,
      ),
    async press(text, within = 'body') {
      await page.shows(within, new RegExp(text.replace(/[$.]/g, '\\$&')));
      await page.run(
        (wanted, inside) => {
          const buttons = [...document.querySelectorAll(`${inside} button, ${inside} a`)];
          buttons.find(({ innerText }) => innerText.trim() === wanted).click();
        },
        text,
        within,
      );
    },
    /** As every other client, with the cookie of the tab. */
    send: (method, path, body, headers = {}) =>
      page.run(
        async (verb, url, content, more) => {
          const sent = { 'Content-Type': 'application/json', 'X-CSRF': '1', ...more };
          const response = await fetch(url, {
            method: verb,
            headers: sent,
            ...(content && { body: JSON.stringify(content) }),
          });
          const { data, error } = await response.json();
          if (!response.ok) throw new Error(`${verb} ${url}: ${error}`);
          return data;
        },
        ...[method, api + path, body, headers],
      ),
    /** Checks and photographs the page at the width of a phone and of a desk, in light and dark. */
    async inspect(name) {
      for (const [size, mode] of VIEWS) {
        await lookAt(page, size, mode);
        await page.command('Runtime.evaluate', { expression: axe.source });
        const violations = await page.run(async () =>
          (await globalThis.axe.run()).violations.flatMap(({ id, nodes }) =>
            nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
          ),
        );
        assert.deepEqual(violations, [], `${name}, ${size}, ${mode}`);
        assert.ok(
          await page.run(() => document.documentElement.scrollWidth <= innerWidth),
          `${name} is wider than ${size}`,
        );
        const { data } = await page.command('Page.captureScreenshot', { format: 'png' });
        mkdirSync(SCREENSHOTS, { recursive: true });
        writeFileSync(join(SCREENSHOTS, `console-${name}-${size}-${mode}.png`), Buffer.from(data, 'base64'));
      }
    },
  };
  return person;
}

/** Gives the tab a size and a mode, and waits until the page has settled: axe must not measure a page on its way to another one. */
async function lookAt(page, size, mode) {
  await page.prefers(mode);
  // A page that is too wide would make a phone zoom out.
  await page.resize(size, false);
  await page.settles();
  await page.run(async (theme) => {
    const root = document.documentElement;
    const hasColours = () =>
      [root.dataset.theme, root.dataset.mantineColorScheme, getComputedStyle(root).colorScheme].every(
        (one) => one === theme,
      );
    const isBusy = () =>
      document.querySelector('.sk, [role=status] > .sr, [aria-busy=true]') !== null ||
      document.getAnimations().some(({ playState }) => playState === 'running');
    let changes = 0;
    new MutationObserver(() => changes++).observe(root, { subtree: true, childList: true, attributes: true });
    await document.fonts.ready;
    for (let quiet = 0; quiet < 2; quiet++) {
      const before = changes;
      await new Promise(requestAnimationFrame);
      if (changes !== before || isBusy() || !hasColours()) quiet = -1;
    }
  }, mode);
}

import { mkdtemp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Templates } from './templates.js';

const ROOT = join(import.meta.dirname, '../../../templates');

describe('Templates', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'templates-'));
  });

  afterEach(() => rm(folder, { recursive: true }));

  /** The templates of a folder with these files. */
  async function templatesOf(files: Readonly<Record<string, string>>): Promise<Templates> {
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), content);
    }
    return new Templates(folder);
  }

  it('escapes every value in HTML, and none in plain text', async () => {
    const templates = await templatesOf({
      'pages/a.html.eta': '<a title="<%= it.name %>"><%= it.name %></a>',
      'pages/a.txt.eta': '<%= it.name %>',
    });
    const name = `<script>"x" & 'y'</script>`;
    const escaped = '&lt;script&gt;&quot;x&quot; &amp; &#39;y&#39;&lt;/script&gt;';
    expect(templates.html('pages/a', { name })).toBe(`<a title="${escaped}">${escaped}</a>`);
    expect(templates.text('pages/a', { name })).toBe(name);
  });

  it('puts a page into its layout, and parts into a page', async () => {
    const templates = await templatesOf({
      'layout.html.eta': '<main><%~ it.body %></main><%= it.foot %>',
      'pages/a.html.eta': `<% layout('@layout') %>\n<p><%~ include('@part', { name: it.name }) %></p>`,
      'part.html.eta': '<b><%= it.name %></b>',
    });
    expect(templates.html('pages/a', { name: 'A & B', foot: 1 })).toBe('<main><p><b>A &amp; B</b></p></main>1');
  });

  it.each([undefined, null, {}, [], true])('throws for a value that is not a string: %p', async (name) => {
    const templates = await templatesOf({ 'a.html.eta': '<%= it.name %>' });
    expect(() => templates.html('a', { name })).toThrow('instead of a string');
  });

  it('stops the start when a template has a mistake', async () => {
    await expect(templatesOf({ 'a.html.eta': '<% if (it.a) { %>' })).rejects.toThrow('Bad template syntax');
  });

  it('rejects a name that leads to another file', async () => {
    const templates = await templatesOf({ 'a.html.eta': 'a' });
    expect(() => templates.html('../a', {})).toThrow('Failed to get template');
    expect(() => templates.html('b', {})).toThrow('Failed to get template');
  });

  it('compiles the files of the repository', () => {
    expect(() => new Templates()).not.toThrow();
  });

  it('leaves only layouts, parts, our style and rendered Markdown unescaped', async () => {
    for (const file of await readdir(ROOT, { recursive: true })) {
      if (!file.endsWith('.html.eta')) continue;
      const unescaped = (await readFile(join(ROOT, file), 'utf8')).match(/<%[-_]?\s*~.*/g) ?? [];
      expect(unescaped.filter((tag) => !/^<%~ (it\.(body|style|descriptionHtml) %>|include\('@)/.test(tag))).toEqual(
        [],
      );
    }
  });
});

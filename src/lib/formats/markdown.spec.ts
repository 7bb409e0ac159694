import { performance } from 'node:perf_hooks';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { renderMarkdown } from './markdown.js';

const REL = 'rel="nofollow noopener"';

describe('Markdown', () => {
  it.each([
    ['', ''],
    ['One line.', '<p>One line.</p>'],
    ['A golden name\nfor 30 days.', '<p>A golden name<br>\nfor 30 days.</p>'],
    ['One.\n\nTwo.', '<p>One.</p>\n<p>Two.</p>'],
    ['- a\n- **b**\n', '<ul>\n<li>a</li>\n<li><strong>b</strong></li>\n</ul>'],
    ['1. a\n2. b', '<ol>\n<li>a</li>\n<li>b</li>\n</ol>'],
    ['- a\n  - b', '<ul>\n<li>a\n<ul>\n<li>b</li>\n</ul>\n</li>\n</ul>'],
    ['**bold** and *italic*', '<p><strong>bold</strong> and <em>italic</em></p>'],
    ['5 \\* 3 * 2', '<p>5 * 3 * 2</p>'],
    [
      '[Rules](https://example.com/rules?a=1&b=2)',
      `<p><a href="https://example.com/rules?a=1&amp;b=2" ${REL}>Rules</a></p>`,
    ],
    ['[a](HTTP://example.com "A title")', `<p><a href="HTTP://example.com" title="A title" ${REL}>a</a></p>`],
    [
      '[**a**](http://b\u00fccher.example/\u00fc)',
      `<p><a href="http://xn--bcher-kva.example/%C3%BC" ${REL}><strong>a</strong></a></p>`,
    ],
    ['# No heading', '<p># No heading</p>'],
    ['    no code', '<p>no code</p>'],
    ['`no code` > no quote', '<p>`no code` &gt; no quote</p>'],
    ['---', '<p>---</p>'],
    ['&copy; & &lt;', '<p>&amp;copy; &amp; &amp;lt;</p>'],
  ])('renders %j', (text, html) => {
    expect(renderMarkdown(text)).toBe(html);
  });

  it.each([
    ['<script>alert(1)</script>', '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>'],
    ['<img src=x onerror=alert(1)>', '<p>&lt;img src=x onerror=alert(1)&gt;</p>'],
    ['<!-- a --> <![CDATA[a]]>', '<p>&lt;!-- a --&gt; &lt;![CDATA[a]]&gt;</p>'],
    ['[a](javascript:alert(1))', '<p>[a](javascript:alert(1))</p>'],
    ['[a](JaVaScRiPt:alert(1))', '<p>[a](JaVaScRiPt:alert(1))</p>'],
    ['[a](\u0001javascript:alert(1))', '<p>[a](\u0001javascript:alert(1))</p>'],
    ['[a](java\nscript:alert(1))', '<p>[a](java<br>\nscript:alert(1))</p>'],
    ['[a](java&#115;cript:alert(1))', '<p>[a](java&amp;#115;cript:alert(1))</p>'],
    ['[a](data:text/html;base64,PHNjcmlwdD4=)', '<p>[a](data:text/html;base64,PHNjcmlwdD4=)</p>'],
    ['[a](vbscript:x) [b](file:///etc/passwd)', '<p>[a](vbscript:x) [b](file:///etc/passwd)</p>'],
    [
      '[a](//evil.example) [b](/path) [c](mailto:a@b.example)',
      '<p>[a](//evil.example) [b](/path) [c](mailto:a@b.example)</p>',
    ],
    ['[a]() [*b*]( \t) []() ![c]()', '<p>[a]() [<em>b</em>]( \t) []() ![c]()</p>'],
    ['[[a]()](https://example.com)', `<p><a href="https://example.com" ${REL}>[a]()</a></p>`],
    ['<javascript:alert(1)> <https://example.com>', '<p>&lt;javascript:alert(1)&gt; &lt;https://example.com&gt;</p>'],
    ['https://example.com', '<p>https://example.com</p>'],
    ['[a]: javascript:alert(1)\n\n[a]', '<p>[a]: javascript:alert(1)</p>\n<p>[a]</p>'],
    ['![a](https://example.com/a.png)', `<p>!<a href="https://example.com/a.png" ${REL}>a</a></p>`],
    [
      '[a](https://e.example/"onclick="alert(1))',
      `<p><a href="https://e.example/%22onclick=%22alert(1)" ${REL}>a</a></p>`,
    ],
    [
      '[a](https://e.example "\\"><script>")',
      `<p><a href="https://e.example" title="&quot;&gt;&lt;script&gt;" ${REL}>a</a></p>`,
    ],
    ['[<b>](https://e.example)', `<p><a href="https://e.example" ${REL}>&lt;b&gt;</a></p>`],
  ])('makes the hostile text %j harmless', (text, html) => {
    expect(renderMarkdown(text)).toBe(html);
  });

  it.each([
    ['brackets that open', '['.repeat(10_000)],
    ['links that open', '[a]('.repeat(2_500)],
    ['links without an address', '[a]()'.repeat(2_000)],
    ['nested links without an address', `${'['.repeat(2_500)}${']()'.repeat(2_500)}`],
    ['nested brackets', `${'['.repeat(5_000)}a${']'.repeat(5_000)}`],
    ['stars', '*'.repeat(10_000)],
    ['stars of two kinds', '**a *'.repeat(2_000)],
    ['nested lists', '- '.repeat(5_000)],
    ['backslashes', '\\'.repeat(10_000)],
    ['nested parentheses of an address', `[a](https://e.example/${'('.repeat(5_000)}${')'.repeat(5_000)})`],
    ['quotes in a title', `[a](https://e.example/ "${'\\"'.repeat(5_000)}`],
    ['nested numbered lists', '1) '.repeat(3_000)],
    ['empty lines', ' \n'.repeat(5_000)],
  ])('renders 10,000 characters of %s fast, and without an element that is not allowed', (_name, text) => {
    const started = performance.now();
    const elements = elementsOf(renderMarkdown(text));
    // The slowest takes less than 100 ms. What is not linear would take minutes.
    expect(performance.now() - started).toBeLessThan(10_000);
    expect(elements.filter((element) => !ALLOWED.test(element))).toEqual([]);
  });

  it('has only the allowed elements and attributes, whatever the text is (2,000 cases)', () => {
    const unit = fc.constantFrom(
      ...'[]()<>!*_-#`~:/"\'&;= \n\\\ta1',
      '[a](',
      'https://e.example',
      'javascript:',
      '<a href=',
      'onclick=',
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 60 }), (text) =>
        elementsOf(renderMarkdown(text)).every((element) => ALLOWED.test(element)),
      ),
      { numRuns: 2_000 },
    );
  });
});

/** Everything that a browser can take for an element. */
const elementsOf = (html: string): string[] => html.match(/<[^>]*>?/g) ?? [];

const ALLOWED =
  /^<(?:\/?(?:p|ul|ol|li|strong|em)|\/a|br|ol start="\d+"|a href="https?:\/\/[^"<>]*"(?: title="[^"<>]*")? rel="nofollow noopener")>$/i;

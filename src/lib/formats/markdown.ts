import { LRUCache } from 'lru-cache';
import MarkdownIt from 'markdown-it';

/** Only these rules of CommonMark run; all other characters are text. A line break of the text is one of the page. */
const markdown = new MarkdownIt('zero', { html: false, breaks: true }).enable([
  'newline',
  'escape',
  'list',
  'emphasis',
  'link',
]);

/** Not `javascript:`, and no path: a path would lead to another page on each front end. */
markdown.validateLink = (url) => /^https?:\/\//i.test(url);

const NO_ADDRESS = /^\([ \t\n]*\)/;

/** A link without an address stays text, as one whose address is rejected does: `validateLink` is not called for it. */
markdown.inline.ruler.before('link', 'link_without_address', (state, silent) => {
  if (state.src[state.pos] !== '[') return false;
  const labelEnd = state.md.helpers.parseLinkLabel(state, state.pos);
  if (labelEnd < 0 || !NO_ADDRESS.test(state.src.slice(labelEnd + 1, state.posMax))) return false;
  if (!silent) state.pending += '[';
  state.pos += 1;
  return true;
});

markdown.renderer.rules['link_open'] = (tokens, index, options, _env, renderer) => {
  tokens[index]?.attrSet('rel', 'nofollow noopener');
  return renderer.renderToken(tokens, index, options);
};

/** Lists of products render the same descriptions again and again. */
const rendered = new LRUCache<string, string>({
  max: 10_000,
  maxSize: 8_000_000,
  sizeCalculation: (html) => html.length + 1,
});

/**
 * Renders the text of a shop as HTML that is safe on every page: paragraphs, line breaks, lists, bold and italic text, and links to
 * http(s) addresses, which get `rel="nofollow noopener"`. Its only elements are `p br ul ol li strong em a`, and everything else
 * in the text is escaped.
 */
export function renderMarkdown(text: string): string {
  const known = rendered.get(text);
  if (known !== undefined) return known;
  const html = markdown.render(text).trimEnd();
  rendered.set(text, html);
  return html;
}

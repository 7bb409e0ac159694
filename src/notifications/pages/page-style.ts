import { createHash } from 'node:crypto';
import { textColorOn, USUAL_COLOR } from '../../lib/formats/colours.js';

/**
 * The style of a page. The colour of the shop is only a background, and every other colour is fixed, so that any colour can be
 * read. It has none of the characters that HTML escapes, because browsers compare its hash with the policy.
 */
export function styleOf(accentColor: string | null): string {
  const accent = accentColor ?? USUAL_COLOR;
  return `:root{--accent:${accent};--on-accent:${textColorOn(accent)}}${FIXED}`;
}

const FIXED = [
  '*{box-sizing:border-box}',
  'body{margin:0;font:1rem/1.5 system-ui,sans-serif;color:#1b1b1f;background:#f4f4f7;overflow-wrap:anywhere}',
  'header{background:var(--accent);color:var(--on-accent);border-bottom:1px solid #5b5b66;padding:.9rem 1rem}',
  'header p{margin:0 auto;max-width:40rem;font-size:1.15rem;font-weight:700}',
  'main{max-width:42rem;margin:0 auto;padding:.5rem 1rem 3rem}',
  'h1{font-size:1.6rem;line-height:1.25;margin:1rem 0 .5rem}',
  'h2{font-size:1.2rem;margin:0 0 .5rem}',
  'h3{font-size:1rem;margin:1.25rem 0 .25rem}',
  'p{margin:.5rem 0}',
  'section{background:#fff;border:1px solid #d4d4dc;border-radius:.6rem;padding:1rem;margin:1rem 0}',
  'dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1rem;margin:0}',
  'dt{color:#4a4a55}dd{margin:0;font-weight:600}',
  '@media(max-width:30rem){dl{display:block}dd{margin-bottom:.5rem}}',
  'table{width:100%;border-collapse:collapse}',
  'th,td{text-align:left;padding:.4rem 0;border-bottom:1px solid #e3e3ea;vertical-align:top}',
  'th{font-weight:600}tfoot th,tfoot td{border-bottom:0}',
  'td:last-child,thead th:last-child{text-align:right;white-space:nowrap;padding-left:1rem}',
  'label{display:block;font-weight:600;margin:.75rem 0 .25rem}',
  '.choice{display:flex;gap:.6rem;align-items:flex-start;margin:.75rem 0}.choice label{margin:0;font-weight:400}',
  '.hint{color:#4a4a55;font-size:.925rem;margin:.25rem 0}',
  'input{font:inherit;color:inherit;width:100%;padding:.6rem;border:1px solid #6b6b76;border-radius:.4rem;background:#fff}',
  'input[readonly]{background:#f4f4f7}',
  'input[type=checkbox]{width:1.35rem;height:1.35rem;margin:.1rem 0 0;flex:none}',
  'button,.button{display:inline-block;font:inherit;font-weight:600;min-height:2.75rem;padding:.55rem 1.1rem;margin:.75rem .5rem 0 0;',
  'color:var(--on-accent);background:var(--accent);border:1px solid #5b5b66;border-radius:.4rem;cursor:pointer;text-decoration:none}',
  '.quiet{color:#1b1b1f;background:#fff}',
  'a{color:#0b4f94}',
  ':focus-visible{outline:3px solid #1b1b1f;outline-offset:2px}',
  '.alert,.notice{background:#fff;border:1px solid #d4d4dc;border-left:.4rem solid #a3161a;border-radius:.4rem;padding:.75rem 1rem;margin:1rem 0}',
  '.notice{border-left-color:#146c2e}',
].join('');

/** Lets a page use its own style and its own forms, and nothing else: no script, no other origin, no frame around it. */
export function policyOf(style: string): string {
  const hash = createHash('sha256').update(style).digest('base64');
  return [
    "default-src 'none'",
    `style-src 'sha256-${hash}'`,
    'img-src data:',
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

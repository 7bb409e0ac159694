import { PLACEHOLDERS } from './command-template.js';

/** A name in braces or percent signs, as other shop systems and plugins write placeholders: `{player.name}`, `{ nickname }`, `{0}`, `%player%`. */
const LOOKS_LIKE_ONE =
  /\{\s*[\p{L}\p{N}_]+(?:[.-][\p{L}\p{N}_]+)*\s*\}|%[\p{L}_][\p{L}\p{N}_]*(?:[.-][\p{L}\p{N}_]+)*%/gu;

const OWN: ReadonlySet<string> = new Set(PLACEHOLDERS.map((name) => `{${name}}`));

/** What looks like a placeholder in a template and is none, so the game server gets it as it is; each once, as written. */
export function foreignPlaceholders(template: string): string[] {
  const found = template.match(LOOKS_LIKE_ONE) ?? [];
  return [...new Set(found)].filter((written) => !OWN.has(written));
}

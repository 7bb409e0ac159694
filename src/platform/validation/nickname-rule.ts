/** The rule for nicknames in a game. `custom` has the shop's own pattern. */
export const NICKNAME_PRESETS = ['minecraft-java', 'minecraft-bedrock', 'steam64', 'any', 'custom'] as const;
export type NicknamePreset = (typeof NICKNAME_PRESETS)[number];

export interface NicknameRule {
  readonly preset: NicknamePreset;
  /** Only with `custom`: the pattern without `^` and `$`. */
  readonly pattern: string | null;
}

export const MAX_NICKNAME_LENGTH = 32;

const PATTERNS: Readonly<Record<Exclude<NicknamePreset, 'custom'>, RegExp>> = {
  'minecraft-java': /^[A-Za-z0-9_]{3,16}$/,
  // Gamertags have up to 16 characters, single spaces included. Proxies put a dot or an underscore in front; those that put a star
  // there make names that consoles read as a selector.
  'minecraft-bedrock': /^[._]?(?! )(?:[A-Za-z0-9_]| (?! )){3,16}(?<! )$/,
  steam64: /^7656119\d{10}$/,
  any: /^[^\p{C}\p{Z}](?:[^\p{C}]{0,30}[^\p{C}\p{Z}])?$/u,
};

/**
 * A shop's own pattern is a sequence of characters and character classes, each with an optional bounded repetition. Groups,
 * alternatives and unbounded repetitions are not allowed, and only few repetitions may vary in length. So every match is fast on
 * the 32 characters of a nickname, for every pattern of a shop.
 */
const SAFE_PATTERN =
  /^(?:(?:\[[A-Za-z0-9_.\- *]+\]|[A-Za-z0-9_ -]|\\[.*+?-]|\\d|\\w)(?:\{\d{1,2}(?:,\d{1,2})?\}|\?)?){1,16}$/;

const VARIABLE_LENGTH = /\{\d+,\d+\}|\?/g;
const MAX_VARIABLE_LENGTHS = 4;

/** Whether a shop's own pattern is safe to run. */
export function isSafePattern(pattern: string): boolean {
  if (!SAFE_PATTERN.test(pattern)) return false;
  if ((pattern.match(VARIABLE_LENGTH)?.length ?? 0) > MAX_VARIABLE_LENGTHS) return false;
  try {
    return new RegExp(`^(?:${pattern})$`).source !== '';
  } catch {
    return false;
  }
}

/**
 * The rule as a regular expression over the whole nickname, for forms of storefronts (`pattern` of an input field, or `RegExp` with
 * the flag `u` or `v`). Together with the largest length it accepts exactly what the rule accepts.
 */
export function patternOf({ preset, pattern }: NicknameRule): string {
  if (preset !== 'custom') return PATTERNS[preset].source;
  // The flags `u` and `v` reject a hyphen that is escaped outside of a class, and many characters that are not escaped inside of one.
  const strict = (pattern ?? '').replaceAll(/\[([^\]]*)\]|\\-/g, (_part, members?: string) =>
    members === undefined ? '-' : `[${strictMembers(members)}]`,
  );
  return `^(?:${strict})$`;
}

/** The members of a character class, with a backslash before everything that is not a letter, a digit, `_` or a space. */
function strictMembers(members: string): string {
  const escaped = (character: string): string => character.replace(/[^\w ]/, '\\$&');
  return members.replaceAll(/(.)-(.)|(.)/g, (_all, from?: string, to?: string, single?: string) =>
    from === undefined || to === undefined ? escaped(single ?? '') : `${escaped(from)}-${escaped(to)}`,
  );
}

/** Whether a nickname follows a shop's rule. */
export function followsRule(nickname: string, rule: NicknameRule): boolean {
  if (nickname.length > MAX_NICKNAME_LENGTH) return false;
  if (rule.preset !== 'custom') return PATTERNS[rule.preset].test(nickname);
  return rule.pattern !== null && isSafePattern(rule.pattern) && new RegExp(`^(?:${rule.pattern})$`).test(nickname);
}

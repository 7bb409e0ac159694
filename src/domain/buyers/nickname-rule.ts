import { MAX_NICKNAME_LENGTH, readPattern } from './nickname-pattern.js';

/** The rule for nicknames in a game. `custom` has the shop's own pattern. */
export const NICKNAME_PRESETS = ['minecraft-java', 'minecraft-bedrock', 'steam64', 'any', 'custom'] as const;
export type NicknamePreset = (typeof NICKNAME_PRESETS)[number];

/** What nicknames each preset accepts, for people. */
export const PRESET_DESCRIPTIONS: Readonly<Record<NicknamePreset, string>> = {
  'minecraft-java': 'Minecraft: Java Edition: 3 to 16 letters, digits and underscores',
  'minecraft-bedrock':
    'Minecraft: Bedrock Edition: a gamertag, single spaces included, with the prefix of a proxy or without',
  steam64: 'Steam: the 17 digits of a SteamID64',
  any: 'Any game: 1 to 32 visible characters',
  custom: 'A pattern of the shop',
};

export interface NicknameRule {
  readonly preset: NicknamePreset;
  /** Only with `custom`: the pattern, which `readPattern` reads. */
  readonly pattern: string | null;
}

/** Matches no nickname. */
const NOTHING = '^(?!)$';

const PATTERNS: Readonly<Record<Exclude<NicknamePreset, 'custom'>, RegExp>> = {
  'minecraft-java': /^[A-Za-z0-9_]{3,16}$/,
  // Gamertags have up to 16 characters, single spaces included. Proxies put a dot or an underscore in front; those that put a star
  // there make names that consoles read as a selector.
  'minecraft-bedrock': /^[._]?(?! )(?:[A-Za-z0-9_]| (?! )){3,16}(?<! )$/,
  steam64: /^7656119\d{10}$/,
  any: /^[^\p{C}\p{Z}](?:[^\p{C}]{0,30}[^\p{C}\p{Z}])?$/u,
};

/**
 * The rule as a regular expression over the whole nickname, for forms of storefronts (`pattern` of an input field, or `RegExp` with
 * the flag `u` or `v`). Together with the largest length it accepts exactly what the rule accepts.
 */
export function patternOf({ preset, pattern }: NicknameRule): string {
  if (preset !== 'custom') return PATTERNS[preset].source;
  const read = readPattern(pattern ?? '');
  return 'source' in read ? read.source : NOTHING;
}

/** What is wrong with a rule, one sentence for each problem. */
export function ruleProblems({ preset, pattern }: NicknameRule): string[] {
  if (preset !== 'custom') return pattern === null ? [] : ['pattern is only for the preset custom'];
  if (pattern === null) return ['pattern is required for the preset custom, for example "[a-z]{3,12}"'];
  const read = readPattern(pattern);
  return 'problem' in read ? [`pattern: ${read.problem}`] : [];
}

/** Whether a nickname follows a shop's rule. */
export function followsRule(nickname: string, rule: NicknameRule): boolean {
  if (nickname.length > MAX_NICKNAME_LENGTH) return false;
  const pattern = rule.preset === 'custom' ? new RegExp(patternOf(rule), 'u') : PATTERNS[rule.preset];
  return pattern.test(nickname);
}

import { createHash } from 'node:crypto';
import { HUES } from '../../shops/look/shop-style.js';

/** The figures that stand for products and categories without a picture, and the words in a name that each one is for. */
const FIGURES: readonly (readonly [file: string, words: RegExp])[] = [
  ['key.svg', /\b(keys?|schl(ü|ue)ssel)/i],
  ['crate-rare.svg', /mythic|legend(ary|är)? ?(crate|kiste)|epic|episch/i],
  ['crate.svg', /crates?|lootbox|kisten?|truhen?/i],
  ['wings.svg', /wings?|fl(ü|ue)gel|cosmetics?|kosmetik|particle|partikel|trail|pets?\b/i],
  ['island.svg', /islands?|insel|plots?|claims?|grundst(ü|ue)ck|homes?/i],
  ['potion.svg', /potion|trank|boosters?|\bxp\b|multiplier/i],
  ['coins.svg', /coins?|m(ü|ue)nzen|gold|money|credits?|points|punkte/i],
  ['gift.svg', /gift|present|geschenk|packs?\b|bundle|paket/i],
  ['sword.svg', /sword|schwert|kits?\b|weapon|waffe|armou?r|r(ü|ue)stung|tools?|items?/i],
  ['heart.svg', /support|donat|spende|unterst(ü|ue)tz|heart|herz/i],
  ['gem-violet.svg', /amethyst|pro\b|premium/i],
  ['gem.svg', /\bvip\b|gems?|diamond|diamant|emerald|smaragd/i],
  ['crown.svg', /\branks?|\brang|r(ä|ae)nge|mvp|king|queen|crown|krone|legend/i],
];
const OTHERS = ['gem.svg', 'crate.svg', 'potion.svg', 'gem-violet.svg', 'coins.svg', 'gift.svg'];

/** Which picture stands for a thing without one, and in front of which hue. */
export interface Figure {
  readonly file: string;
  /** One of `HUES`. */
  readonly hue: number;
}

/** The figure of a product or a category: always the same for the same id and name. */
export function figureOf(id: string, name: string): Figure {
  const digest = createHash('sha256').update(id).digest();
  const file = FIGURES.find(([, words]) => words.test(name))?.[0] ?? OTHERS[(digest[0] ?? 0) % OTHERS.length] ?? '';
  return { file, hue: (digest[1] ?? 0) % HUES };
}

const SKIN = ['#b07a52', '#e8d3ff', '#f2c9a5', '#d9a57b', '#c7e0a0', '#8d5a3b'];
const HAIR = ['#b9422f', '#5b4bb3', '#2b2f3a', '#7a4b24', '#d8b13c', '#2f7d5b'];
const EYES = ['#11151c', '#1f7a44', '#6b3fa0', '#2f5fe0'];

/** The colours of the face of a player, eight by eight pixels: of the name, not of the player's skin elsewhere. */
export interface Face {
  readonly skin: string;
  readonly hair: string;
  readonly eyes: string;
  /** Whether the hair comes down at the sides, and whether there is a beard. */
  readonly long: boolean;
  readonly beard: boolean;
}

export function faceOf(nickname: string): Face {
  const digest = createHash('sha256').update(nickname.toLowerCase()).digest();
  const pick = (from: readonly string[], at: number): string => from[(digest[at] ?? 0) % from.length] ?? '';
  return {
    ...{ skin: pick(SKIN, 0), hair: pick(HAIR, 1), eyes: pick(EYES, 2) },
    ...{ long: (digest[3] ?? 0) % 2 === 0, beard: (digest[4] ?? 0) % 3 === 0 },
  };
}

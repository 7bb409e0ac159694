import { linearRgbOf, luminanceOf } from './colours.js';

/** The surfaces of a theme, on which text in the accent colour stands: `#` and six digits. */
export interface Surfaces {
  readonly bg: string;
  readonly surface: string;
  readonly surface2: string;
}

/** What pages derive from the accent colour of a shop, for light or for dark. */
export interface AccentTokens {
  /** The fill of a button: the owner's colour, never changed. */
  readonly accent: string;
  readonly onAccent: string;
  readonly accentHover: string;
  /** The border of a filled button, which would vanish on some surfaces without one. */
  readonly accentEdge: string;
  /** Links, prices and icons. */
  readonly accentText: string;
  readonly accentSoft: string;
  readonly accentSoftText: string;
  readonly focus: string;
  /** Always dark, so that white text has a contrast of 7 and more. */
  readonly heroTop: string;
  readonly heroMid: string;
  readonly heroLow: string;
  readonly heroGlow: string;
}

type Rgb = readonly [number, number, number];

/** A colour by lightness, chroma and hue (https://www.w3.org/TR/css-color-4/#ok-lab): people see equal steps of it as equal. */
interface Oklch {
  readonly lightness: number;
  readonly chroma: number;
  /** In radians. */
  readonly hue: number;
}

const CHROMA_STEP = 0.004;
const LIGHTNESS_STEP = 0.01;
const OUT_OF_RANGE = 0.001;

const gamma = (channel: number): number =>
  channel <= 0.0031308 ? 12.92 * channel : 1.055 * channel ** (1 / 2.4) - 0.055;

function hexOf(rgb: Rgb): string {
  const bytes = rgb.map((channel) => Math.round(Math.min(1, Math.max(0, channel)) * 255));
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** The contrast of two colours (https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio), from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [luminanceOf(one), luminanceOf(other)].sort((left, right) => right - left);
  return (lighter + 0.05) / (darker + 0.05);
}

function oklchOf(hex: string): Oklch {
  const [r, g, b] = linearRgbOf(hex);
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const first = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const second = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  return {
    lightness: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    chroma: Math.hypot(first, second),
    hue: Math.atan2(second, first),
  };
}

function rgbOf({ lightness, chroma, hue }: Oklch): Rgb {
  const [a, b] = [chroma * Math.cos(hue), chroma * Math.sin(hue)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const of = (x: number, y: number, z: number): number => gamma(Math.max(x * l + y * m + z * s, 0));
  return [
    of(4.0767416621, -3.3077115913, 0.2309699292),
    of(-1.2684380046, 2.6097574011, -0.3413193965),
    of(-0.0041960863, -0.7034186147, 1.707614701),
  ];
}

/** The colour of sRGB with this lightness and hue, with as much of the chroma as a screen can show. */
function hexFrom(wanted: Oklch): string {
  for (let { chroma } = wanted; ; chroma -= CHROMA_STEP) {
    const rgb = rgbOf({ ...wanted, chroma: Math.max(chroma, 0) });
    const isShown = rgb.every((channel) => channel >= -OUT_OF_RANGE && channel <= 1 + OUT_OF_RANGE);
    if (isShown || chroma <= 0) return hexOf(rgb);
  }
}

const at = (color: Oklch, lightness: number, share = 1): string =>
  hexFrom({ ...color, lightness, chroma: color.chroma * share });

/** Moves the lightness, down on light backgrounds and up on dark ones, until the colour has a contrast on each background. */
function readable(color: Oklch, backgrounds: readonly string[], isDark: boolean, contrast: number): string {
  const step = isDark ? LIGHTNESS_STEP : -LIGHTNESS_STEP;
  for (let { lightness } = color; lightness >= 0 && lightness <= 1; lightness += step) {
    const hex = at(color, lightness);
    if (backgrounds.every((background) => contrastOf(hex, background) >= contrast)) return hex;
  }
  return isDark ? '#ffffff' : '#000000';
}

/** White where it is readable, else nearly black, else black: white or black always reaches 4.58. */
function textOn(fill: string): string {
  return ['#ffffff', '#0b0d12'].find((text) => contrastOf(fill, text) >= 4.5) ?? '#000000';
}

/**
 * Everything that pages derive from the accent colour of a shop, readable for any colour (WCAG 2.2 AA).
 * @param accent `#` and six digits
 */
export function accentTokens(accent: string, { bg, surface, surface2 }: Surfaces, isDark: boolean): AccentTokens {
  const color = oklchOf(accent);
  const soft = at(color, isDark ? 0.27 : 0.955, isDark ? 0.45 : 0.25);
  return {
    accent,
    onAccent: textOn(accent),
    accentHover: at(color, color.lightness + (luminanceOf(accent) > 0.18 ? -0.05 : 0.06)),
    accentEdge: contrastOf(accent, surface) >= 3 ? accent : readable(color, [surface, bg], isDark, 3),
    accentText: readable(color, [bg, surface, surface2], isDark, 4.5),
    accentSoft: soft,
    accentSoftText: readable(color, [soft], isDark, 4.6),
    focus: readable(color, [bg, surface, surface2], isDark, 3.1),
    heroTop: at(color, 0.36, 0.9),
    heroMid: at(color, 0.27, 0.8),
    heroLow: at(color, 0.17, 0.5),
    heroGlow: at(color, 0.5),
  };
}

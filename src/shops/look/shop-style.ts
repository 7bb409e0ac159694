import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type AccentTokens, accentTokens, type Surfaces } from '../../lib/formats/accent.js';
import { type Font, type Theme } from '../shops/storefront.types.js';
import { Assets } from '../../infrastructure/templates/assets.js';

/** The colour of shops that have chosen none. */
const USUAL_ACCENT = '#0e7490';
/** Those of `tokens.css`. */
const LIGHT: Surfaces = { bg: '#f5f6f8', surface: '#ffffff', surface2: '#eff1f5' };
const DARK: Surfaces = { bg: '#0b0e13', surface: '#131820', surface2: '#1a202b' };

/** The hues of pictures, one for each class `h-0`, `h-1`, ... */
export const HUES = 24;
const MAX_KEPT = 200;

const FONTS: Readonly<Record<Exclude<Font, 'device'>, readonly [file: string, family: string, weights: string]>> = {
  manrope: ['manrope-latin.woff2', 'Manrope Variable', '200 800'],
  geist: ['geist-latin.woff2', 'Geist Variable', '100 900'],
};
const OF_DEVICE = 'system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif';

/** What a page has of the look of its shop. */
export interface Look {
  readonly style: string;
  /** The Content-Security-Policy: this style, pictures, fonts and forms of the same host, and no script. */
  readonly policy: string;
  /** As `policy`, with scripts and requests to the same host: for pages with the module of the storefront. */
  readonly policyWithModule: string;
  /** The path of that module. */
  readonly modulePath: string;
  /** The path of the font; empty for that of the device. */
  readonly fontPath: string;
}

/** The style sheet of a shop: themes are data, and no text of an owner is in it. */
@Injectable()
export class ShopStyle {
  private readonly fixed: string;
  private readonly kept = new LRUCache<string, Look>({ max: MAX_KEPT });

  constructor(private readonly assets: Assets) {
    const hues = Array.from({ length: HUES }, (_, index) => `.h-${index}{--h:${(index * 360) / HUES}}`);
    const sheets = ['tokens.css', 'storefront.css'].map((name) => assets.styleSheet(name));
    this.fixed = [...sheets, ...hues].join('');
  }

  /** @param accentColor `#` and six digits; null: the usual one @param root what stands before the paths of assets */
  lookOf({ accentColor, theme }: { readonly accentColor: string | null; readonly theme: Theme }, root: string): Look {
    const key = [accentColor, theme.font, root].join(' ');
    const known = this.kept.get(key);
    if (known !== undefined) return known;
    const look = this.make(accentColor ?? USUAL_ACCENT, theme.font, root);
    this.kept.set(key, look);
    return look;
  }

  private make(accent: string, font: Font, root: string): Look {
    const [file, family, weights] = font === 'device' ? ['', '', ''] : FONTS[font];
    const fontPath = file === '' ? '' : this.assets.pathOf(root, file);
    const face =
      file === ''
        ? ''
        : `@font-face{font-family:"${family}";src:url(${fontPath}) format("woff2");font-weight:${weights};font-display:optional}`;
    const fonts = `:root{--font-shop:${family === '' ? '' : `"${family}",`}${OF_DEVICE}}`;
    const light = declarations(accentTokens(accent, LIGHT, false));
    const dark = declarations(accentTokens(accent, DARK, true));
    const accents =
      `:root{${light}}@media(prefers-color-scheme:dark){:root:not([data-theme=light]){${dark}}}` +
      `:root[data-theme=dark]{${dark}}`;
    const style = face + this.fixed + fonts + accents;
    const hash = createHash('sha256').update(style).digest('base64');
    const policy = [
      "default-src 'none'",
      `style-src 'sha256-${hash}'`,
      "img-src 'self'",
      "font-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ];
    return {
      style,
      policy: policy.join('; '),
      policyWithModule: [...policy, "script-src 'self'", "connect-src 'self'"].join('; '),
      modulePath: this.assets.pathOf(root, 'storefront.js'),
      fontPath,
    };
  }
}

/** `accentText` as `--accent-text`. */
function declarations(tokens: AccentTokens): string {
  return Object.entries(tokens)
    .map(([name, color]) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}:${color}`)
    .join(';');
}

import { type Request } from 'express';
import { type Language, LANGUAGES } from '../../lib/formats/languages.js';

/**
 * The language of a page or an account: the one that the reader's browser requests (`Accept-Language`, RFC 9110,
 * 12.5.4), or else the one of the shop.
 * @param ofShop null: it belongs to no shop, or the shop has no language
 */
export function languageOf(request: Pick<Request, 'acceptsLanguages'>, ofShop: Language | null): Language {
  const otherwise = ofShop ?? LANGUAGES[0];
  // Of languages that the reader likes equally, the first one is chosen.
  const accepted = request.acceptsLanguages(otherwise, ...LANGUAGES);
  return LANGUAGES.find((language) => language === accepted) ?? otherwise;
}

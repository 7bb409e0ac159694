/** The colour of pages and emails that belong to no shop, or to a shop without one. */
export const USUAL_COLOR = '#1f4e79';
const BLACK = '#000000';
const WHITE = '#ffffff';
/** Of this relative luminance, black and white are equally easy to read. */
const MIDDLE_LUMINANCE = 0.179;

/** Red, green and blue of a colour as shares of their light, from 0 to 1. @param color `#` and six digits */
export function linearRgbOf(color: string): [red: number, green: number, blue: number] {
  const linear = (at: number): number => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return [linear(1), linear(3), linear(5)];
}

/** The relative luminance of a colour (https://www.w3.org/TR/WCAG22/#dfn-relative-luminance). @param color `#` and six digits */
export function luminanceOf(color: string): number {
  const [red, green, blue] = linearRgbOf(color);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Black or white, whichever is easier to read on a colour: at least 4.5 to 1 on every colour. */
export function textColorOn(color: string): string {
  return luminanceOf(color) > MIDDLE_LUMINANCE ? BLACK : WHITE;
}

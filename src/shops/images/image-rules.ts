import { GRACE_MS, type Image } from './image.types.js';

export type ImageFormat = 'png' | 'jpeg' | 'webp';

/** The longest side that is read, in pixels. */
const MAX_SIDE = 8_192;
const MAX_PIXELS = 4_096 * 3_072;
/**
 * What a decoder may keep of an image at once. It and what the decoder, the resizer and the encoder need besides (up to 30 MiB, measured)
 * stay below 64 MiB.
 */
const MAX_DECODED_BYTES = 32 * 2 ** 20;

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const JPEG_SIGNATURE = Buffer.from('ffd8ff', 'hex');

const text = (bytes: Buffer, start: number, length: number): string => bytes.toString('latin1', start, start + length);

/** The format that the first bytes say; null for everything else, such as SVG, GIF, AVIF and TIFF. */
export function formatOf(bytes: Buffer): ImageFormat | null {
  if (bytes.subarray(0, 8).equals(PNG_SIGNATURE)) return 'png';
  if (bytes.subarray(0, 3).equals(JPEG_SIGNATURE)) return 'jpeg';
  return text(bytes, 0, 4) === 'RIFF' && text(bytes, 8, 4) === 'WEBP' ? 'webp' : null;
}

/** Whether a PNG has the chunk of an animation (APNG), which stands before its pixels. */
function isAnimatedPng(bytes: Buffer): boolean {
  for (let at = PNG_SIGNATURE.length; at + 8 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const type = text(bytes, at + 4, 4);
    if (type === 'acTL') return true;
    if (type === 'IDAT') return false;
  }
  return false;
}

const ANIMATION_FLAG = 0x02;

/** Whether an image has several frames. */
export function isAnimated(bytes: Buffer, format: ImageFormat): boolean {
  if (format === 'png') return isAnimatedPng(bytes);
  const isExtended = format === 'webp' && text(bytes, 12, 4) === 'VP8X';
  return isExtended && ((bytes[20] ?? 0) & ANIMATION_FLAG) !== 0;
}

/** What the head of an image says about it. */
export interface ImageHead {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly bytesPerSample: number;
  /** An interlaced PNG or a progressive JPEG. */
  readonly isProgressive: boolean;
  /** Of a JPEG: `4:4:4`, or fewer samples of colour. */
  readonly chromaSubsampling: string | null;
}

/**
 * How many bytes of an image are kept at once. A JPEG that is not progressive is decoded row by row, and smaller at once. So is a PNG, but
 * on a busy machine the decoder was seen to run ahead of the resizer by nearly all rows.
 */
function decodedBytes({ width, height, ...head }: ImageHead, format: ImageFormat): number {
  const pixels = width * height;
  if (format === 'webp') return pixels * 4;
  if (format === 'png') return pixels * head.channels * head.bytesPerSample;
  if (!head.isProgressive) return 0;
  // The coefficients, in two bytes each.
  const perPixel = head.chromaSubsampling === '4:2:0' ? 1.5 : head.channels;
  return pixels * perPixel * 2;
}

/** Why an image is not decoded, one sentence for each reason. */
export function headProblems(head: ImageHead, format: ImageFormat): string[] {
  const { width, height } = head;
  if (width > MAX_SIDE || height > MAX_SIDE) return [`The image must be at most ${MAX_SIDE} pixels wide and high`];
  if (width * height > MAX_PIXELS) return [`The image must have at most ${MAX_PIXELS} pixels`];
  if (decodedBytes(head, format) > MAX_DECODED_BYTES) {
    return ['The image needs too much memory; make it smaller, or save it as a JPEG that is not progressive'];
  }
  return [];
}

/** How an image is turned so that it is upright without EXIF's orientation (1 to 8): first mirrored, then rotated clockwise. */
export function uprightBy(orientation: number): { readonly mirror: boolean; readonly degrees: 0 | 90 | 180 | 270 } {
  const mirror = [2, 4, 5, 7].includes(orientation);
  if (orientation === 3 || orientation === 4) return { mirror, degrees: 180 };
  if (orientation === 6 || orientation === 7) return { mirror, degrees: 90 };
  if (orientation === 5 || orientation === 8) return { mirror, degrees: 270 };
  return { mirror, degrees: 0 };
}

/** What happens to an image whose check is due. @param isUsed whether anything of the shop refers to it */
export function verdictOn(
  { state, unusedSince }: Pick<Image, 'state' | 'unusedSince'>,
  isUsed: boolean,
  now: Date,
): { readonly unusedSince: Date | null } | 'remove' {
  if (state === 'removing') return 'remove';
  if (isUsed) return { unusedSince: null };
  const since = unusedSince ?? now;
  return now.getTime() - since.getTime() >= GRACE_MS ? 'remove' : { unusedSince: since };
}

import { Injectable } from '@nestjs/common';
import type sharpLibrary from 'sharp';
import { type Sharp } from 'sharp';
import { AppError } from '../../domain/errors/app-error.js';
import { Semaphore } from '../../lib/concurrency/semaphore.js';
import { sha256 } from '../../lib/crypto/keyed-hash.js';
import { formatOf, headProblems, type ImageFormat, isAnimated, uprightBy } from './image-rules.js';
import { type EncodedImage, IMAGE_SIZES, type ImageSize, LARGEST_SIZE } from './image.types.js';

/** How many images wait for the one that is decoded. */
const MAX_WAITING = 4;
/** What one image may take. libvips checks it between parts of its work. */
const DECODE_SECONDS = 5;
const QUALITY = 82;

const LOADERS: Readonly<Record<ImageFormat, string>> = {
  png: 'VipsForeignLoadPngBuffer',
  jpeg: 'VipsForeignLoadJpegBuffer',
  webp: 'VipsForeignLoadWebpBuffer',
};

type Library = typeof sharpLibrary;

/** Loaded with the first image: most processes never decode one. */
let loading: Promise<Library> | undefined;

async function load(): Promise<Library> {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  // Only these three decoders can run, whatever a file pretends to be.
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: Object.values(LOADERS) });
  return sharp;
}

const invalid = (message: string, cause?: unknown): AppError => new AppError('image_invalid', { message, cause });
const tooMany = (): AppError => new AppError('too_many_at_once', { headers: { 'Retry-After': '5' } });

interface Pixels {
  readonly data: Buffer;
  readonly info: { readonly width: number; readonly height: number; readonly channels: 1 | 2 | 3 | 4 };
}

/**
 * Decodes images that strangers have made, and encodes their pixels anew: nothing else of a file survives. One image at a time, in
 * threads of libuv, so that the event loop goes on; what a decoder keeps in memory is known from the head before it runs (`headProblems`).
 */
@Injectable()
export class ImageCodec {
  private readonly turns = new Semaphore(1, MAX_WAITING, tooMany);

  /** @throws AppError image_invalid, too_many_at_once */
  async encode(bytes: Buffer): Promise<EncodedImage> {
    const format = formatOf(bytes);
    if (format === null) throw invalid('The body must be a PNG, JPEG or WebP image');
    if (isAnimated(bytes, format)) throw invalid('The image must not be animated');
    return this.turns.run(async () => {
      const sharp = await (loading ??= load());
      const pixels = await decode(sharp, bytes, format);
      return encode(sharp, pixels);
    });
  }
}

/** The pixels of an image in sRGB, upright, in the largest size that is kept. */
async function decode(sharp: Library, bytes: Buffer, format: ImageFormat): Promise<Pixels> {
  try {
    const image = sharp(bytes, { failOn: 'error', sequentialRead: true, limitInputPixels: 2 ** 26 });
    const { width, height, channels, depth, ...head } = await image.metadata();
    const { isProgressive, chromaSubsampling = null } = head;
    const bytesPerSample = depth === 'uchar' ? 1 : 2;
    const [problem] = headProblems(
      { width, height, channels, bytesPerSample, isProgressive, chromaSubsampling },
      format,
    );
    if (problem !== undefined) throw invalid(problem);
    const side = { width: LARGEST_SIZE, height: LARGEST_SIZE, fit: 'inside', withoutEnlargement: true } as const;
    const small = await pixelsOf(image.resize(side));
    // Turned when it is small: before that, the decoder would have to keep all of it.
    const { mirror, degrees } = uprightBy(head.orientation ?? 1);
    if (!mirror && degrees === 0) return small;
    const mirrored = mirror ? await pixelsOf(raw(sharp, small).flop()) : small;
    return await pixelsOf(raw(sharp, mirrored).rotate(degrees));
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw invalid('The image is damaged, or it cannot be decoded', error);
  }
}

async function encode(sharp: Library, pixels: Pixels): Promise<EncodedImage> {
  const files = new Map<ImageSize, Buffer>();
  for (const size of IMAGE_SIZES) {
    const side = { width: size, height: size, fit: 'inside', withoutEnlargement: true } as const;
    files.set(size, await raw(sharp, pixels).resize(side).webp({ quality: QUALITY }).toBuffer());
  }
  const { width, height } = pixels.info;
  const bytes = [...files.values()].reduce((sum, file) => sum + file.length, 0);
  return { hash: sha256(files.get(LARGEST_SIZE) ?? ''), width, height, bytes, files };
}

function raw(sharp: Library, { data, info: { width, height, channels } }: Pixels): Sharp {
  return sharp(data, { raw: { width, height, channels } });
}

async function pixelsOf(image: Sharp): Promise<Pixels> {
  const timed = image.timeout({ seconds: DECODE_SECONDS }).toColourspace('srgb').raw({ depth: 'uchar' });
  return timed.toBuffer({ resolveWithObject: true });
}

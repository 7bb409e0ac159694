import { afterEach, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { ImageCodec } from './image-codec.js';
import { IMAGE_SIZES } from './image.types.js';

const codec = new ImageCodec();
const canvas = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: '#4a7' } });

// libvips sets it when it is loaded.
afterEach(() => {
  delete process.env['VIPSHOME'];
});

describe('ImageCodec', () => {
  it('keeps an image in three sizes, the largest of at most 1280 pixels, and enlarges none', async () => {
    const { width, height, files, hash, bytes } = await codec.encode(await canvas(2_000, 1_000).png().toBuffer());
    const shown = await Promise.all([...files.values()].map((file) => sharp(file).metadata()));
    expect(shown.map((file) => [file.width, file.height])).toEqual([
      [320, 160],
      [640, 320],
      [1280, 640],
    ]);
    expect({ width, height, sizes: [...files.keys()] }).toEqual({ width: 1280, height: 640, sizes: [...IMAGE_SIZES] });
    expect(bytes).toBe([...files.values()].reduce((sum, file) => sum + file.length, 0));
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    const small = await codec.encode(await canvas(100, 50).webp().toBuffer());
    expect([small.width, small.height]).toEqual([100, 50]);
  });

  it('gives equal pixels the same id', async () => {
    const [one, two] = [
      await canvas(50, 50).png().toBuffer(),
      await canvas(50, 50).png({ compressionLevel: 0 }).toBuffer(),
    ];
    expect((await codec.encode(one)).hash).toBe((await codec.encode(two)).hash);
  });

  it('keeps transparency', async () => {
    const clear = {
      create: { width: 10, height: 10, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
    } as const;
    const { files } = await codec.encode(await sharp(clear).png().toBuffer());
    expect((await sharp(files.get(320)).stats()).isOpaque).toBe(false);
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'shows a photo upright that EXIF turns with orientation %i',
    async (orientation) => {
      // Red on the left, and blue at the top right.
      const pixels = Buffer.from([255, 0, 0, 0, 0, 255, 255, 0, 0, 0, 255, 0]);
      const original = await sharp(pixels, { raw: { width: 2, height: 2, channels: 3 } })
        .resize(64, 32, { kernel: 'nearest', fit: 'fill' })
        .withMetadata({ orientation })
        .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
        .toBuffer();
      const expected = await sharp(original).autoOrient().raw().toBuffer({ resolveWithObject: true });
      const { files, width, height } = await codec.encode(original);
      const actual = await sharp(files.get(1280)).raw().toBuffer({ resolveWithObject: true });
      expect([width, height]).toEqual([expected.info.width, expected.info.height]);
      const difference = actual.data.reduce(
        (sum, value, index) => sum + Math.abs(value - (expected.data[index] ?? 0)),
        0,
      );
      expect(difference / actual.data.length).toBeLessThan(12);
    },
  );

  it('decodes one image at a time, lets four wait, and rejects the sixth', async () => {
    const image = await canvas(1_000, 1_000).png().toBuffer();
    const results = await Promise.allSettled(Array.from({ length: 6 }, () => codec.encode(image)));
    expect(results.map(({ status }) => status)).toEqual([...Array<string>(5).fill('fulfilled'), 'rejected']);
    expect(results[5]).toMatchObject({ reason: { code: 'too_many_at_once' } });
  });
});

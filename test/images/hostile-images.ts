import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { seededRandom } from '../../src/app/demo/demo-orders.js';

/** A file that an uploader could have made to harm somebody, and whether the pixels of it may be kept. */
export interface HostileImage {
  readonly name: string;
  readonly bytes: Buffer;
  /** `kept`: only its pixels. `either`: what the decoder says; nothing but pixels in any case. */
  readonly expected: 'kept' | 'rejected' | 'either';
}

/** What must not be in any file that the service keeps. */
export const TRACES = [
  'EVIL',
  'GPS',
  'Exif',
  'XMP',
  'ICCP',
  '<script',
  '%PDF',
  'PK\x03\x04',
  'MZ\x90',
  '<?php',
  'secret-place',
];

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

function chunk(type: string, data: Buffer | string = ''): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), Buffer.from(data)]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length - 4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

interface Head {
  readonly width: number;
  readonly height: number;
  readonly depth?: number;
  readonly colour?: number;
  readonly interlace?: number;
}

function head({ width, height, depth = 8, colour = 6, interlace = 0 }: Head): Buffer {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data.set([depth, colour, 0, 0, interlace], 8);
  return chunk('IHDR', data);
}

/** A PNG whose pixels are zeros: small as a file, large when it is decoded. */
function png(size: Head, { before = [], after = Buffer.alloc(0) }: { before?: Buffer[]; after?: Buffer } = {}): Buffer {
  const { width, height, depth = 8, colour = 6 } = size;
  const samples = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }[colour] ?? 4;
  const row = 1 + Math.ceil((width * samples * depth) / 8);
  const rows = deflateSync(Buffer.alloc(Math.min(row * height, 2 ** 27)), { level: 9 });
  const palette = colour === 3 ? [chunk('PLTE', Buffer.alloc(3))] : [];
  return Buffer.concat([SIGNATURE, head(size), ...before, ...palette, chunk('IDAT', rows), chunk('IEND'), after]);
}

const SMALL: Head = { width: 8, height: 8 };

function riff(...chunks: readonly Buffer[]): Buffer {
  const content = Buffer.concat([Buffer.from('WEBP'), ...chunks]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(content.length);
  return Buffer.concat([Buffer.from('RIFF'), length, content]);
}

function riffChunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(data.length);
  return Buffer.concat([Buffer.from(type), length, data, Buffer.alloc(data.length % 2)]);
}

/** The extended head of a WebP image. */
function vp8x(flags: number, width: number, height: number): Buffer {
  const data = Buffer.alloc(10);
  data[0] = flags;
  data.writeUIntLE(width - 1, 4, 3);
  data.writeUIntLE(height - 1, 7, 3);
  return riffChunk('VP8X', data);
}

/** Claims other dimensions in the frame header of a JPEG than its data have. */
function withJpegSize(bytes: Buffer, width: number, height: number): Buffer {
  const copy = Buffer.from(bytes);
  const at = copy.findIndex((byte, index) => byte === 0xff && [0xc0, 0xc2].includes(copy[index + 1] ?? 0));
  copy.writeUInt16BE(height, at + 5);
  copy.writeUInt16BE(width, at + 7);
  return copy;
}

/** Puts a segment behind the first marker of a JPEG. */
function withSegment(bytes: Buffer, marker: number, data: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(data.length + 2);
  return Buffer.concat([bytes.subarray(0, 2), Buffer.from([0xff, marker]), length, data, bytes.subarray(2)]);
}

/** The same noise in each run: by chance, other noise has one of the short traces in its pixels. */
function noiseOf(length: number): Buffer {
  const random = seededRandom(1);
  return Buffer.from(Uint8Array.from({ length }, () => random() * 256));
}

/** Forty of them. */
export async function hostileImages(): Promise<HostileImage[]> {
  const canvas = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#4a7' } });
  const noise = (width: number, height: number) =>
    sharp(noiseOf(width * height * 3), { raw: { width, height, channels: 3 } });
  const place = {
    IFD0: { Copyright: 'EVIL', ImageDescription: 'secret-place', Orientation: '6' },
    IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 0/1', GPSLongitudeRef: 'E', GPSLongitude: '13/1 24/1 0/1' },
  };
  const xmp = '<x:xmpmeta xmlns:x="adobe:ns:meta/"><EVIL>secret-place</EVIL></x:xmpmeta>';
  const jpeg = await canvas(40, 20).jpeg().toBuffer();
  const webp = await canvas(40, 20).webp().toBuffer();
  const photo = await noise(600, 400).withExif(place).withXmp(xmp).jpeg().toBuffer();
  const frames = await sharp(noiseOf(16 * 48 * 3), { raw: { width: 16, height: 48, channels: 3, pageHeight: 16 } })
    .webp({ loop: 0, delay: [100, 100, 100] })
    .toBuffer();
  const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>EVIL()</script></svg>');
  const zip = Buffer.from('PK\x03\x04EVIL<?php system($_GET[0]); ?>', 'latin1');
  const html = Buffer.from('<html><script>EVIL()</script></html>');
  const animationOf = (count: number): Buffer[] => {
    const data = Buffer.alloc(8);
    data.writeUInt32BE(count);
    return [chunk('acTL', data)];
  };
  const zipped = (length: number): Buffer => deflateSync(Buffer.alloc(length, 0x41), { level: 9 });
  const text = (type: string, data: Buffer): Buffer => chunk(type, Buffer.concat([Buffer.from('EVIL\0\0'), data]));
  const kept = (name: string, bytes: Buffer): HostileImage => ({ name, bytes, expected: 'kept' });
  const rejected = (name: string, bytes: Buffer): HostileImage => ({ name, bytes, expected: 'rejected' });
  const either = (name: string, bytes: Buffer): HostileImage => ({ name, bytes, expected: 'either' });
  return [
    // Bombs and huge dimensions.
    rejected('a PNG of 8,000 x 8,000 pixels in 60 KB', png({ width: 8_000, height: 8_000, depth: 1, colour: 0 })),
    rejected('a PNG of 30,000 x 30,000 pixels', png({ width: 30_000, height: 30_000, depth: 1, colour: 0 })),
    rejected(
      'a PNG of 2,147,483,647 pixels on a side',
      Buffer.concat([SIGNATURE, head({ width: 2 ** 31 - 1, height: 2 ** 31 - 1 }), chunk('IEND')]),
    ),
    rejected('a PNG of one row of 100,000 pixels', png({ width: 100_000, height: 1 })),
    rejected(
      'an interlaced PNG of 4,000 x 3,000 pixels in 16 bits',
      png({ width: 4_000, height: 3_000, depth: 16, interlace: 1 }),
    ),
    kept('a PNG of 4,096 x 2,048 pixels, the most that is allowed', png({ width: 4_096, height: 2_048 })),
    rejected('a PNG of 4,096 x 2,048 pixels in 16 bits', png({ width: 4_096, height: 2_048, depth: 16 })),
    rejected('a PNG of 8,192 x 1,536 pixels in 16 bits', png({ width: 8_192, height: 1_536, depth: 16 })),
    rejected('a PNG with no pixels', png({ width: 0, height: 0 })),
    rejected('a JPEG that claims 65,000 x 65,000 pixels', withJpegSize(jpeg, 65_000, 65_000)),
    either('a JPEG that claims 4,000 x 3,000 pixels and has 40 x 20', withJpegSize(jpeg, 4_000, 3_000)),
    rejected(
      'a progressive JPEG of 4,000 x 3,000 pixels in full colour',
      await canvas(4_000, 3_000).jpeg({ progressive: true, chromaSubsampling: '4:4:4' }).toBuffer(),
    ),
    kept('a JPEG of 4,096 x 3,072 pixels', await canvas(4_096, 3_072).jpeg().toBuffer()),
    rejected('a WebP of 4,096 x 3,072 pixels', await canvas(4_096, 3_072).webp({ effort: 0 }).toBuffer()),
    rejected('a WebP whose head claims 16,000,000 x 1 pixels', riff(vp8x(0, 16_000_000, 1), webp.subarray(12))),
    either('a PNG with a compressed text of 100 MB', png(SMALL, { before: [text('zTXt', zipped(100 * 2 ** 20))] })),
    either('a PNG with a colour profile of 100 MB', png(SMALL, { before: [text('iCCP', zipped(100 * 2 ** 20))] })),
    either(
      'a PNG with 50,000 empty chunks',
      png(SMALL, { before: Array.from({ length: 50_000 }, () => chunk('tEXt', 'EVIL\0')) }),
    ),
    // Polyglots, and what is no image.
    kept('a PNG that is also a ZIP archive', png(SMALL, { after: zip })),
    kept('a PNG with a page in its text', png(SMALL, { before: [chunk('tEXt', `EVIL\0${html.toString()}`)] })),
    kept('a JPEG that is also a page', withSegment(jpeg, 0xfe, html)),
    kept('a JPEG with a program behind its end', Buffer.concat([jpeg, Buffer.from('MZ\x90EVIL', 'latin1'), zip])),
    kept('a WebP with a page in a chunk of its own', riff(webp.subarray(12), riffChunk('EVIL', html))),
    rejected('an SVG with a script', svg),
    rejected('an SVG behind the head of a PNG', Buffer.concat([SIGNATURE, svg])),
    rejected('a page', html),
    rejected('a GIF', gif),
    rejected('a PDF', Buffer.from('%PDF-1.7 EVIL')),
    rejected('a TIFF', await canvas(8, 8).tiff().toBuffer()),
    rejected('an AVIF', await canvas(8, 8).avif({ effort: 0 }).toBuffer()),
    // Truncated and damaged.
    rejected('half of a PNG', png({ width: 200, height: 200 }).subarray(0, 60)),
    rejected('half of a JPEG', photo.subarray(0, photo.length / 2)),
    rejected('half of a WebP', (await noise(300, 300).webp().toBuffer()).subarray(0, 9_000)),
    rejected('the first bytes of a PNG', SIGNATURE),
    rejected('a PNG whose checksum is wrong', Buffer.concat([SIGNATURE, head(SMALL).fill(0xff, 21), chunk('IEND')])),
    // Animated.
    rejected('an animated WebP', frames),
    rejected(
      'a WebP with a billion claimed frames',
      riff(vp8x(2, 16, 16), riffChunk('ANIM', Buffer.alloc(6, 0xff)), webp.subarray(12)),
    ),
    rejected('an animated PNG', png(SMALL, { before: animationOf(4_294_967_295) })),
    // Metadata.
    kept('a photo with its location, a comment and an orientation', photo),
    kept(
      'a WebP with a location and a colour profile',
      await noise(60, 40).withExif(place).withIccProfile('p3').webp().toBuffer(),
    ),
  ];
}

import { describe, expect, it } from '@jest/globals';
import { formatOf, headProblems, type ImageFormat, type ImageHead, uprightBy, verdictOn } from './image-rules.js';
import { GRACE_MS } from './image.types.js';

const HEAD: ImageHead = {
  width: 4_096,
  height: 3_072,
  channels: 3,
  bytesPerSample: 1,
  isProgressive: false,
  chromaSubsampling: null,
};

describe('formatOf', () => {
  it.each([
    ['89504e470d0a1a0a00', 'png'],
    ['ffd8ffe0', 'jpeg'],
    ['52494646ffffffff57454250', 'webp'],
    ['52494646ffffffff57415645', null],
    ['47494638', null],
    ['3c737667', null],
    ['', null],
  ])('takes %s for %s', (hex, expected) => {
    expect(formatOf(Buffer.from(hex, 'hex'))).toBe(expected);
  });
});

describe('headProblems', () => {
  it.each<[string, ImageFormat, Partial<ImageHead>]>([
    ['the largest JPEG', 'jpeg', { channels: 4 }],
    ['a PNG of 8 megapixels with transparency', 'png', { height: 2_048, channels: 4 }],
    ['a PNG in 16 bits', 'png', { height: 1_024, channels: 4, bytesPerSample: 2 }],
    ['the longest row', 'png', { width: 8_192, height: 1_365 }],
    [
      'a progressive JPEG with fewer samples of colour',
      'jpeg',
      { height: 2_048, isProgressive: true, chromaSubsampling: '4:2:0' },
    ],
    ['a WebP of 8 megapixels', 'webp', { width: 4_096, height: 2_048 }],
  ])('accepts %s', (_name, format, head) => {
    expect(headProblems({ ...HEAD, ...head }, format)).toEqual([]);
  });

  it.each<[string, ImageFormat, Partial<ImageHead>, RegExp]>([
    ['a row that is too long', 'png', { width: 8_193, height: 1 }, /8192 pixels wide/],
    ['too many pixels', 'jpeg', { width: 4_097 }, /12582912 pixels/],
    ['a long row in 16 bits', 'png', { width: 8_192, height: 513, channels: 4, bytesPerSample: 2 }, /memory/],
    ['a WebP above 8 megapixels', 'webp', { width: 4_096, height: 2_049 }, /memory/],
    ['a PNG above it', 'png', { height: 2_049, channels: 4 }, /memory/],
    [
      'a progressive JPEG in full colour',
      'jpeg',
      { height: 2_048, isProgressive: true, chromaSubsampling: '4:4:4' },
      /memory/,
    ],
  ])('rejects %s', (_name, format, head, problem) => {
    expect(headProblems({ ...HEAD, ...head }, format)).toEqual([expect.stringMatching(problem)]);
  });
});

describe('uprightBy', () => {
  it('turns by no angle and mirrors nothing for an unknown orientation', () => {
    expect([1, 0, 9].map(uprightBy)).toEqual([1, 2, 3].map(() => ({ mirror: false, degrees: 0 })));
  });
});

describe('verdictOn', () => {
  const now = new Date('2026-11-29T12:00:00Z');
  const ago = (ms: number): Date => new Date(now.getTime() - ms);

  it.each([
    ['keeps one that is used', 'stored', null, true, { unusedSince: null }],
    ['forgets that one was unused that is used again', 'stored', ago(GRACE_MS), true, { unusedSince: null }],
    ['begins the grace period of one that was used before', 'stored', null, false, { unusedSince: now }],
    [
      'keeps one until the end of its grace period',
      'stored',
      ago(GRACE_MS - 1),
      false,
      { unusedSince: ago(GRACE_MS - 1) },
    ],
    ['removes one at the end of its grace period', 'stored', ago(GRACE_MS), false, 'remove'],
    ['removes an upload that was interrupted', 'pending', ago(GRACE_MS), false, 'remove'],
    ['goes on with a removal', 'removing', null, true, 'remove'],
  ] as const)('%s', (_name, state, unusedSince, isUsed, expected) => {
    expect(verdictOn({ state, unusedSince }, isUsed, now)).toEqual(expected);
  });
});

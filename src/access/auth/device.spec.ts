import { describe, expect, it } from '@jest/globals';
import { describeDevice } from './device.js';

describe('The description of a device', () => {
  it.each([
    ['its words', 'Firefox/140.0', 'Firefox/140.0'],
    ['nothing without one', undefined, null],
    ['nothing of an empty one', '', null],
    ['nothing of spaces', ' \t ', null],
    ['no control or foreign characters', 'a\u0000b\u001b[31mc\u00e9\r\nd', 'a b [31mc d'],
    ['its first 200 characters', 'x'.repeat(5_000), 'x'.repeat(200)],
  ])('summarises a User-Agent as %s', (_what, userAgent, device) => {
    expect(describeDevice(userAgent)).toBe(device);
  });
});

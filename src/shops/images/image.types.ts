import { type Transitions } from '../../lib/states/transitions.js';
import { DAY_MS } from '../../lib/time/durations.js';

/** The longest sides in which an image is kept, in pixels. A smaller image keeps its size. */
export const IMAGE_SIZES = [320, 640, 1280] as const;
export type ImageSize = (typeof IMAGE_SIZES)[number];
export const LARGEST_SIZE: ImageSize = 1280;

/** `pending`: the record exists, and perhaps not all files. `removing`: some files may be gone. */
export const IMAGE_STATES = ['pending', 'stored', 'removing'] as const;
export type ImageState = (typeof IMAGE_STATES)[number];

export const IMAGE_TRANSITIONS: Transitions<ImageState> = {
  pending: ['stored', 'removing'],
  stored: ['removing'],
  removing: [],
};

/** How long an image that nothing uses is kept. It is checked as often, so one that was used before stays up to twice as long. */
export const GRACE_MS = 7 * DAY_MS;

export interface Image {
  readonly id: string;
  readonly shopId: string;
  /** What the API calls its id. */
  readonly hash: string;
  /** Of the largest file, in pixels. */
  readonly width: number;
  readonly height: number;
  /** Of all files together. */
  readonly bytes: number;
  readonly state: ImageState;
  /** Since when nothing is known to use it; null: something used it at the last check. */
  readonly unusedSince: Date | null;
  /** When the job looks at it next. */
  readonly checkAt: Date;
  readonly createdAt: Date;
  /** `user:<id>` or `key:<id>`. */
  readonly createdBy: string;
}

/** An image as it is kept: WebP without metadata. */
export interface EncodedImage extends Pick<Image, 'hash' | 'width' | 'height' | 'bytes'> {
  readonly files: ReadonlyMap<ImageSize, Buffer>;
}

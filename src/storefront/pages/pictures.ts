import { type ImageSize } from '../../shops/images/image.types.js';

/** A picture of a page. */
export interface Picture {
  readonly url: string;
  /** The same with twice as many pixels, as `srcset` names it; empty for one of our own, which is sharp in every size. */
  readonly sharper: string;
  /** Whether the shop has uploaded it. */
  readonly isPhoto: boolean;
}

/** How pages find pictures. */
export interface PictureAddresses {
  /** The address of one of our own pictures. */
  readonly picture: (file: string) => string;
  /** The address of an image that the shop has uploaded. @param id its hash */
  readonly image: (id: string) => string;
}

/** A size of which there is one that is twice as large. */
export type ShownSize = Extract<ImageSize, 320 | 640>;

/** The first image, or one of our own pictures where there is none. @param size the longest side in pixels of the page */
export function pictureOf(
  imageIds: readonly string[],
  figure: string,
  size: ShownSize,
  { picture, image }: PictureAddresses,
): Picture {
  const [first] = imageIds;
  return first === undefined
    ? { url: picture(figure), sharper: '', isPhoto: false }
    : { url: `${image(first)}?w=${size}`, sharper: `${image(first)}?w=${size * 2} 2x`, isPhoto: true };
}

/** The other images of a product, which its page shows small: each leads to the largest one. */
export function moreImages(imageIds: readonly string[], addresses: PictureAddresses) {
  return imageIds.slice(1).map((id) => ({
    url: `${addresses.image(id)}?w=1280`,
    picture: pictureOf([id], '', 320, addresses),
  }));
}

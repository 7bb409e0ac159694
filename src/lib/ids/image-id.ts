/** The id of an image: the SHA-256 of its largest file in hexadecimal digits, as a JSON Schema pattern. */
export const IMAGE_ID_PATTERN = '^[0-9a-f]{64}$';
export const IMAGE_ID = new RegExp(IMAGE_ID_PATTERN);

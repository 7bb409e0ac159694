import { randomBytes } from 'node:crypto';

/** A new code: `connect_`, and 128 random bits in hexadecimal digits. */
export const generateConnectCode = (): string => `connect_${randomBytes(16).toString('hex')}`;

export const CONNECT_CODE_LENGTH = 'connect_'.length + 32;

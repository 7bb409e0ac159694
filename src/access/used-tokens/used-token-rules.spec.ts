import { expect, it } from '@jest/globals';
import { usedTokenId } from './used-token-rules.js';

it('has one id for the same token with the same content, and others for another token or other content', () => {
  const id = usedTokenId('shi_1', ['register', 'Sam']);
  expect(usedTokenId('shi_1', ['register', 'Sam'])).toBe(id);
  const others = [
    usedTokenId('shi_2', ['register', 'Sam']),
    usedTokenId('shi_1', ['register', 'Nina']),
    usedTokenId('shi_1', ['registerSam']),
    usedTokenId('shi_1', []),
  ];
  expect(new Set([id, ...others]).size).toBe(5);
});

import { describe, expect, it } from '@jest/globals';
import { unsafeCommand } from './delivery-rules.js';

const order = {
  id: '655f1c2ab1e4a9d3f0c81250',
  nickname: 'Steve 42',
  items: [
    { quantity: 1, commands: ['say hello', 'log {orderId}'] },
    { quantity: 1000, commands: ['give "{nickname}" key {quantity}'] },
    { quantity: 2, commands: [] },
  ],
};

describe('unsafeCommand', () => {
  it('finds none when every command can run with the nickname', () => {
    expect(unsafeCommand(order)).toBeNull();
  });

  it('finds the one command of many that is not safe with the nickname', () => {
    const items = [...order.items, { quantity: 1, commands: ['say hello', 'give {nickname} vip', 'say hello'] }];
    expect(unsafeCommand({ ...order, items })).toContain('the nickname may contain only letters from A to Z, digits');
    expect(unsafeCommand({ ...order, items, nickname: 'Steve_42' })).toBeNull();
  });

  it('finds a template that was stored without its check', () => {
    const items = [{ quantity: 1, commands: ['say x{nickname}'] }];
    expect(unsafeCommand({ ...order, items, nickname: 'Steve_42' })).toBe('A command of this order is not safe to run');
  });
});

import { describe, expect, it } from '@jest/globals';
import { renderItems } from './delivery-rules.js';

const order = {
  id: '655f1c2ab1e4a9d3f0c81250',
  nickname: 'Steve 42',
  items: [
    { quantity: 1, commands: ['say hello', 'log {orderId}'] },
    { quantity: 3, commands: ['give "{nickname}" key {quantity}'] },
    { quantity: 2, commands: [] },
  ],
};

describe('renderItems', () => {
  it('renders the commands of each item with its quantity', () => {
    expect(renderItems(order)).toEqual({
      items: [['say hello', 'log 655f1c2ab1e4a9d3f0c81250'], ['give "Steve 42" key 3'], []],
    });
  });

  it('renders nothing when the nickname is not safe in one of the commands', () => {
    const items = [...order.items, { quantity: 1, commands: ['give {nickname} vip'] }];
    expect(renderItems({ ...order, items })).toEqual({
      problem: expect.stringContaining('In the commands of this order, the nickname may contain only'),
    });
  });
});

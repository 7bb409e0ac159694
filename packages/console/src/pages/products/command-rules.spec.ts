import { describe, expect, it } from '@jest/globals';
import { exampleOf, problemsOf, withoutSlashes } from './command-rules.js';

describe('commands of a product', () => {
  it('name the line of a slash and of an unknown placeholder', () => {
    expect(problemsOf('say hi\n/give {nickname} vip\ngive {player} vip')).toEqual([
      { line: 2, kind: 'slash', name: '/' },
      { line: 3, kind: 'placeholder', name: 'player' },
    ]);
    expect(problemsOf('give {nickname} {uuid} {orderId} {quantity}\n')).toEqual([]);
  });

  it('lose only the slashes in front', () => {
    expect(withoutSlashes('/give a/b\n  //set 1')).toBe('give a/b\nset 1');
  });

  it('show how they run, and leave what nobody fills in', () => {
    expect(exampleOf('/give {nickname} {quantity} {rank}')).toBe('give Steve_42 1 {rank}');
  });
});

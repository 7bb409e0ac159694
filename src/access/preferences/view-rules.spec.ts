import { describe, expect, it } from '@jest/globals';
import { type SavedView } from './preferences.types.js';
import { filterProblems, viewProblems } from './view-rules.js';

describe('filterProblems', () => {
  it.each([
    '',
    'status=open',
    'status=open&sort=oldest',
    'from=2026-01-01T00:00:00.000Z&serverId=655f1c2ab1e4a9d3f0c81260',
  ])('accepts %j', (filters) => {
    expect(filterProblems(filters)).toEqual([]);
  });

  it.each(['q=Steve', 'email=a%40example.com', 'status=open&nickname=Steve', 'paymentId=pi_1'])(
    'rejects %j, which can name a buyer',
    (filters) => {
      expect(filterProblems(filters)).toEqual([
        expect.stringMatching(/^filters must not have \w+, which can name a buyer$/),
      ]);
    },
  );

  it.each(['status=a%40example.com', 'a b=c', '$where=1', 'status=', `status=${'a'.repeat(101)}`])(
    'rejects %j',
    (filters) => {
      expect(filterProblems(filters)).toEqual(['filters must be a query such as status=open&sort=oldest']);
    },
  );
});

it('rejects two views of one list with the same name', () => {
  const view = (list: SavedView['list'], name: string): SavedView => ({ list, name, filters: '' });
  expect(viewProblems([view('orders', 'Late'), view('bans', 'Late'), view('orders', 'New')])).toEqual([]);
  expect(viewProblems([view('orders', 'Late'), view('orders', 'late')])).toHaveLength(1);
});

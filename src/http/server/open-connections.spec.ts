import { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { type OpenConnection, OpenConnections } from './open-connections.js';

const connection = (client: string | null): OpenConnection => ({ socket: new Socket(), client, exchanges: new Set() });

describe('OpenConnections', () => {
  const [first, second, third, ofProxy] = [connection('a'), connection('b'), connection('a'), connection(null)];
  const opened = (): OpenConnections => {
    const open = new OpenConnections();
    for (const one of [first, second, third, ofProxy]) open.add(one);
    return open;
  };

  it('has the connections in the order in which they were renewed, also those of a client', () => {
    const open = opened();
    expect([...open.all.values()]).toEqual([first, second, third, ofProxy]);
    open.renew(first);
    expect([...open.all.values()]).toEqual([second, third, ofProxy, first]);
    expect([...open.of('a').values()]).toEqual([third, first]);
  });

  it('has no connections of a client after the last one is deleted', () => {
    const open = opened();
    for (const one of [first, third]) open.delete(one);
    expect(open.of('a').size).toBe(0);
    expect([...open.all.values()]).toEqual([second, ofProxy]);
  });

  it('does not renew a connection that was deleted', () => {
    const open = opened();
    open.delete(first);
    open.renew(first);
    expect([...open.all.values()]).toEqual([second, third, ofProxy]);
  });

  it('counts the connections of proxies for no client', () => {
    expect(opened().of(null).size).toBe(0);
  });
});

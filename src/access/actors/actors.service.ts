import { Injectable } from '@nestjs/common';
import { UsersService } from '../../accounts/users/users.service.js';
import { findsWords, searchWordsOf } from '../../lib/strings/search-words.js';
import { MembershipsService } from '../../shops/memberships/memberships.service.js';
import { ApiKeysService } from '../api-keys/api-keys.service.js';
import { idsOf } from './actor-rules.js';

/** The names of people and API keys that did something in a shop, for its staff. */
@Injectable()
export class ActorsService {
  constructor(
    private readonly users: UsersService,
    private readonly memberships: MembershipsService,
    private readonly keys: ApiKeysService,
  ) {}

  /** The names of these principals, in two reads. One without a name, such as a closed account, is not among them. */
  async namesOf(shopId: string, principals: Iterable<string>): Promise<ReadonlyMap<string, string>> {
    const all = [...principals];
    const [userIds, keyIds] = [idsOf('user', all), idsOf('key', all)];
    const [users, keys] = await Promise.all([
      userIds.length === 0 ? [] : this.users.byIds(userIds, null),
      keyIds.length === 0 ? [] : this.keys.namesIn(shopId, keyIds),
    ]);
    const people = [...users].map(([id, { name }]): [string, string] => [`user:${id}`, name]);
    return new Map([...people, ...[...keys].map(([id, name]): [string, string] => [`key:${id}`, name])]);
  }

  /** The principals of members of the team with the words of a search in their name or address, and of keys with them in their name. */
  async named(shopId: string, q: string): Promise<string[]> {
    const members = await this.memberships.list(shopId, null);
    const userIds = members.map(({ userId }) => userId);
    const [users, keys] = await Promise.all([this.users.byIds(userIds, null), this.keys.namesIn(shopId, null)]);
    const wanted = searchWordsOf(q);
    const named = [
      ...[...users.values()].map(({ id, name, email }) => ({
        principal: `user:${id}`,
        words: searchWordsOf(name, email),
      })),
      ...[...keys].map(([id, name]) => ({ principal: `key:${id}`, words: searchWordsOf(name) })),
    ];
    return named.filter(({ words }) => findsWords(wanted, words)).map(({ principal }) => principal);
  }
}

import { describe, expect, it } from '@jest/globals';
import { teamError } from './team-errors.js';

describe('the error of a rejected change of a team', () => {
  it.each([
    ['may_not_manage', 'permission_missing', 'The credential lacks the permission team:write'],
    ['member_above', 'permission_missing', 'The member has permissions that you do not have'],
    ['role_above', 'permission_not_grantable', 'The role has permissions that you do not have'],
  ] as const)('turns the rejection %s of a team change into %s, with the reason', (rejection, code, message) => {
    expect(teamError(rejection)).toMatchObject({ code, message });
  });
});

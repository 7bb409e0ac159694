import { type ShopContext } from '../../domain/principal/auth-context.js';
import { ALL_PERMISSIONS, permissionsOfRole } from '../../domain/principal/permissions.js';
import { type Member } from '../../shops/memberships/member.types.js';
import { type FormerMemberDto } from './dto/former-member.dto.js';
import { type InvitationDto } from './dto/invitation.dto.js';
import { type StandingDto } from './dto/standing.dto.js';
import { type MemberDto, type TeamDto } from './dto/team.dto.js';
import { type Invitation } from './invitation.types.js';
import { type Team, type Teammate } from './team.service.js';

export function toInvitationDto({ id, email, role, expiresAt }: Invitation): InvitationDto {
  return { id, email, role, expiresAt: expiresAt.toISOString() };
}

export function toMemberDto({ member, user }: Teammate): MemberDto {
  return {
    id: member.id,
    userId: member.userId,
    name: user?.name ?? '',
    email: user?.email ?? '',
    role: member.role,
    permissions: [...permissionsOfRole(member.role)],
    status: 'active',
    joinedAt: member.joinedAt.toISOString(),
    lastActiveAt: member.lastActiveAt?.toISOString() ?? null,
  };
}

export function toFormerMemberDto({ id, userId, role }: Member): FormerMemberDto {
  return { id, userId, role };
}

/** The caller in a shop, with the permissions of this request. A key is not a member of the team. */
export function toStandingDto({ kind, userId, credentialId, memberId, role, permissions }: ShopContext): StandingDto {
  const isPerson = kind === 'user';
  return {
    type: kind,
    id: isPerson ? userId : credentialId,
    memberId: isPerson ? memberId : null,
    role: isPerson ? role : null,
    permissions: ALL_PERMISSIONS.filter((permission) => permissions.has(permission)),
  };
}

export function toTeamDto({ members, invitations }: Team): TeamDto {
  return {
    members: members.map(toMemberDto),
    invitations: invitations.map(toInvitationDto),
    total: members.length,
  };
}

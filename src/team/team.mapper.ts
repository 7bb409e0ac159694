import { ALL_PERMISSIONS, permissionsOfRole } from '../common/auth/permissions.js';
import { type Member } from '../memberships/member.types.js';
import { type FormerMemberDto } from './dto/former-member.dto.js';
import { type InvitationDto } from './dto/invitation.dto.js';
import { type StandingDto } from './dto/standing.dto.js';
import { type MemberDto, type TeamDto } from './dto/team.dto.js';
import { type Invitation } from './invitation.types.js';
import { type Standing, type Team, type Teammate } from './team.service.js';

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

export function toStandingDto({ context, member, permissions }: Standing): StandingDto {
  return {
    type: context.kind,
    id: context.kind === 'user' ? context.userId : context.credentialId,
    memberId: member?.id ?? null,
    role: member?.role ?? null,
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

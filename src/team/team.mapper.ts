import { permissionsOfRole } from '../common/auth/permissions.js';
import { type InvitationDto } from './dto/invitation.dto.js';
import { type MemberDto, type TeamDto } from './dto/team.dto.js';
import { type Invitation } from './invitation.types.js';
import { type Team } from './team.service.js';

export function toInvitationDto({ id, email, role, expiresAt }: Invitation): InvitationDto {
  return { id, email, role, expiresAt: expiresAt.toISOString() };
}

function toMemberDto({ member, user }: Team['members'][number]): MemberDto {
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

export function toTeamDto({ members, invitations }: Team): TeamDto {
  return {
    members: members.map(toMemberDto),
    invitations: invitations.map(toInvitationDto),
    total: members.length,
  };
}

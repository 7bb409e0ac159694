import { Body, Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import {
  Auth,
  Authenticated,
  InShop,
  PublicView,
  RequireMembership,
  RequirePermissions,
  WithinServers,
} from '../../http/routes/access.decorators.js';
import { type AuthContext, type ShopContext } from '../../domain/principal/auth-context.js';
import { DocumentedErrors } from '../../http/routes/documented-errors.decorator.js';
import { RespondsWith } from '../../http/routes/responds-with.decorator.js';
import { MEMBER_ID, SHOP_ID } from '../../http/routes/path-parameters.js';
import { ObjectIdPipe } from '../../http/validation/object-id.pipe.js';
import { ChangeRoleDto } from './dto/change-role.dto.js';
import { FormerMemberDto } from './dto/former-member.dto.js';
import { StandingDto } from './dto/standing.dto.js';
import { MemberDto, TeamDto } from './dto/team.dto.js';
import { toFormerMemberDto, toMemberDto, toStandingDto, toTeamDto } from './team.mapper.js';
import { DeparturesService } from './departures.service.js';
import { TeamService } from './team.service.js';

@ApiTags('Team')
@Controller('shops/:shopId/team')
export class TeamController {
  constructor(
    private readonly team: TeamService,
    private readonly departures: DeparturesService,
  ) {}

  @Get()
  @RequirePermissions('team:read')
  @ApiParam(SHOP_ID)
  @ApiOperation({ summary: 'List the team', description: 'Returns the members of the shop and the open invitations.' })
  @RespondsWith(TeamDto, 'Team members retrieved')
  async list(@InShop() context: ShopContext): Promise<TeamDto> {
    return toTeamDto(await this.team.list(context));
  }

  // Before the routes with a memberId, because `me` is not a member id.
  @Get('me')
  @RequireMembership()
  @WithinServers()
  @PublicView()
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'List my permissions',
    description: 'For every member and API key of the shop: returns the permissions that the caller has now.',
  })
  @RespondsWith(StandingDto, 'Permissions retrieved')
  me(@InShop() context: ShopContext): StandingDto {
    return toStandingDto(context);
  }

  @Delete('me')
  @Authenticated()
  @DocumentedErrors('shop_not_found', 'last_owner')
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'Leave the team',
    description:
      'Needs no permission. The last owner cannot leave. The API keys that you created in this shop stop working.',
  })
  @RespondsWith(FormerMemberDto, 'You left the team')
  async leave(@Auth() auth: AuthContext, @Param('shopId', ObjectIdPipe) shopId: string): Promise<FormerMemberDto> {
    return toFormerMemberDto(await this.departures.leave(auth, shopId));
  }

  @Patch(':memberId')
  @RequirePermissions('team:write')
  @DocumentedErrors('permission_not_grantable', 'member_not_found', 'last_owner', 'quota_reached', 'state_conflict')
  @ApiParam(SHOP_ID)
  @ApiParam(MEMBER_ID)
  @ApiOperation({
    summary: "Change a member's role",
    description:
      'Neither the member nor the new role can have permissions that you do not have. A shop always has at least one owner.',
  })
  @RespondsWith(MemberDto, 'Role changed')
  async changeRole(
    @InShop() context: ShopContext,
    @Param('memberId', ObjectIdPipe) memberId: string,
    @Body() body: ChangeRoleDto,
  ): Promise<MemberDto> {
    return toMemberDto(await this.team.changeRole(context, memberId, body.role));
  }

  @Delete(':memberId')
  @RequirePermissions('team:write')
  @DocumentedErrors('member_not_found', 'last_owner', 'state_conflict')
  @ApiParam(SHOP_ID)
  @ApiParam(MEMBER_ID)
  @ApiOperation({
    summary: 'Remove a member',
    description: "The member's access tokens and API keys stop working in this shop at once.",
  })
  @RespondsWith(FormerMemberDto, 'Member removed')
  async remove(
    @InShop() context: ShopContext,
    @Param('memberId', ObjectIdPipe) memberId: string,
  ): Promise<FormerMemberDto> {
    return toFormerMemberDto(await this.team.remove(context, memberId));
  }

  @Post(':memberId/transfer-ownership')
  @RequirePermissions('team:write')
  @DocumentedErrors('permission_not_grantable', 'member_not_found', 'last_owner', 'quota_reached', 'state_conflict')
  @ApiParam(SHOP_ID)
  @ApiParam(MEMBER_ID)
  @ApiOperation({
    summary: 'Transfer the ownership',
    description: 'Only for owners, with an access token. The member becomes an owner, and you become an admin.',
  })
  @RespondsWith(MemberDto, 'Ownership transferred')
  async transferOwnership(
    @InShop() context: ShopContext,
    @Param('memberId', ObjectIdPipe) memberId: string,
  ): Promise<MemberDto> {
    return toMemberDto(await this.team.transferOwnership(context, memberId));
  }
}

import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Auth, Authenticated, InShop, RequirePermissions } from '../common/auth/access.decorators.js';
import { type AuthContext, type ShopContext } from '../common/auth/auth-context.js';
import { DocumentedErrors } from '../common/errors/documented-errors.decorator.js';
import { Answers } from '../common/http/answers.decorator.js';
import { SHOP_ID } from '../common/http/path-parameters.js';
import { Idempotent } from '../idempotency/idempotent.decorator.js';
import { AcceptInvitationDto } from './dto/accept-invitation.dto.js';
import { InvitationDto } from './dto/invitation.dto.js';
import { InviteDto } from './dto/invite.dto.js';
import { TeamDto } from './dto/team.dto.js';
import { toInvitationDto, toTeamDto } from './team.mapper.js';
import { TeamService } from './team.service.js';

@ApiTags('Team')
@Controller()
export class TeamController {
  constructor(private readonly team: TeamService) {}

  @Get('shops/:shopId/team')
  @RequirePermissions('team:read')
  @ApiParam(SHOP_ID)
  @ApiOperation({ summary: 'List the team', description: 'The members of the shop and the open invitations.' })
  @Answers(TeamDto, 'Team members retrieved')
  async list(@InShop() context: ShopContext): Promise<TeamDto> {
    return toTeamDto(await this.team.list(context));
  }

  @Post('shops/:shopId/team/invitations')
  @RequirePermissions('team:write')
  @Idempotent()
  @ApiParam(SHOP_ID)
  @ApiOperation({ summary: 'Invite a person', description: 'Mails a single-use token that lives 7 days.' })
  @Answers(InvitationDto, 'Invitation sent')
  async invite(@InShop() context: ShopContext, @Body() body: InviteDto): Promise<InvitationDto> {
    return toInvitationDto(await this.team.invite(context, body.email, body.role));
  }

  @Post('team/invitations/accept')
  @Authenticated()
  @DocumentedErrors(409)
  @ApiOperation({
    summary: 'Accept an invitation',
    description: 'Joins the team that the token is for; the account must have the invited address.',
  })
  @Answers(InvitationDto, 'Invitation accepted')
  async accept(@Auth() auth: AuthContext, @Body() body: AcceptInvitationDto): Promise<InvitationDto> {
    return toInvitationDto(await this.team.accept(auth, body.token));
  }
}

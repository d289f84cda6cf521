// Generated from the CLI by `npm run codex-types`; not to be changed by hand.

export interface ServerNotifications {
  "account/rateLimits/updated": AccountRateLimitsUpdatedNotification;
  error: ErrorNotification;
  "item/agentMessage/delta": AgentMessageDeltaNotification;
  "item/autoApprovalReview/completed": ItemGuardianApprovalReviewCompletedNotification;
  "item/commandExecution/outputDelta": CommandExecutionOutputDeltaNotification;
  "item/completed": ItemCompletedNotification;
  "item/fileChange/patchUpdated": FileChangePatchUpdatedNotification;
  "item/mcpToolCall/progress": McpToolCallProgressNotification;
  "item/plan/delta": PlanDeltaNotification;
  "item/reasoning/summaryPartAdded": ReasoningSummaryPartAddedNotification;
  "item/reasoning/summaryTextDelta": ReasoningSummaryTextDeltaNotification;
  "item/reasoning/textDelta": ReasoningTextDeltaNotification;
  "item/started": ItemStartedNotification;
  "model/rerouted": ModelReroutedNotification;
  "serverRequest/resolved": ServerRequestResolvedNotification;
  "thread/name/updated": ThreadNameUpdatedNotification;
  "thread/settings/updated": ThreadSettingsUpdatedNotification;
  "thread/started": ThreadStartedNotification;
  "thread/tokenUsage/updated": ThreadTokenUsageUpdatedNotification;
  "turn/completed": TurnCompletedNotification;
  "turn/diff/updated": TurnDiffUpdatedNotification;
  "turn/plan/updated": TurnPlanUpdatedNotification;
  "turn/started": TurnStartedNotification;
}

export interface ServerRequests {
  "item/commandExecution/requestApproval": CommandExecutionRequestApprovalParams;
  "item/fileChange/requestApproval": FileChangeRequestApprovalParams;
  "item/permissions/requestApproval": PermissionsRequestApprovalParams;
  "item/tool/call": DynamicToolCallParams;
  "item/tool/requestUserInput": ToolRequestUserInputParams;
  "mcpServer/elicitation/request": McpServerElicitationRequestParams;
}

export interface ClientRequests {
  initialize: InitializeParams;
  "model/list": ModelListParams;
  "review/start": ReviewStartParams;
  "thread/archive": ThreadArchiveParams;
  "thread/backgroundTerminals/clean": ThreadBackgroundTerminalsCleanParams;
  "thread/compact/start": ThreadCompactStartParams;
  "thread/fork": ThreadForkParams;
  "thread/resume": ThreadResumeParams;
  "thread/settings/update": ThreadSettingsUpdateParams;
  "thread/start": ThreadStartParams;
  "thread/unarchive": ThreadUnarchiveParams;
  "turn/interrupt": TurnInterruptParams;
  "turn/start": TurnStartParams;
  "turn/steer": TurnSteerParams;
}

export interface ClientAnswers {
  initialize: InitializeResponse;
  "model/list": ModelListResponse;
  "review/start": ReviewStartResponse;
  "thread/fork": ThreadForkResponse;
  "thread/resume": ThreadResumeResponse;
  "thread/start": ThreadStartResponse;
  "turn/start": TurnStartResponse;
}

type AbsolutePathBuf = string;

type AccountRateLimitsUpdatedNotification = { rateLimits: RateLimitSnapshot };

type ActivePermissionProfile = {
  id: string;
  extends: string | null;
};

type AdditionalContextEntry = { value: string; kind: AdditionalContextKind; name?: string | null };

type AdditionalContextKind = "untrusted" | "application";

type AdditionalFileSystemPermissions = {
  read: Array<LegacyAppPathString> | null;
  write: Array<LegacyAppPathString> | null;
  globScanMaxDepth?: number;
  entries?: Array<FileSystemSandboxEntry>;
};

type AdditionalNetworkPermissions = { enabled: boolean | null };

type AdditionalPermissionProfile = {
  network: AdditionalNetworkPermissions | null;
  fileSystem: AdditionalFileSystemPermissions | null;
};

type AgentMessageDelivery = "async";

type AgentMessageDeltaNotification = { threadId: string; turnId: string; itemId: string; delta: string };

type AgentMessageDisplay =
  | { mode: "show"; version: 1; annotation?: AnswerAnnotation; trustedContacts: TrustedContacts }
  | { mode: "hide"; version: 1; replacement: AnswerReplacement }
  | { mode: "block"; version: 1; reason: BlockReason };

type AgentMessageInputContent =
  | { type: "input_text"; text: string }
  | { type: "encrypted_content"; encrypted_content: string };

type AgentMessageModeration = { moderated: boolean; display: AgentMessageDisplay | null };

type AgentPath = string;

type AnswerAnnotation = { kind: "wellbeingHelpline"; subject: HelplineSubject };

type AnswerReplacement = { kind: "wellbeingPromptHelpline" };

type ApprovalsReviewer = "user" | "auto_review" | "guardian_subagent";

type AskForApproval =
  | "untrusted"
  | "on-request"
  | {
      granular: {
        sandbox_approval: boolean;
        rules: boolean;
        skill_approval: boolean;
        request_permissions: boolean;
        mcp_elicitations: boolean;
      };
    }
  | "never";

type AsyncUserInputQuestion = { title: string; options: Array<string> | null };

type AutoReviewDecisionSource = "agent";

type BlockReason = { kind: "protection"; protectionType: string } | { kind: "cyber"; trustedAccess?: boolean };

type ByteRange = { start: number; end: number };

type CapabilityRootLocation = { type: "environment"; environmentId: string; path: string };

type ClientInfo = { name: string; title: string | null; version: string };

type CodexErrorInfo =
  | "contextWindowExceeded"
  | "sessionBudgetExceeded"
  | "usageLimitExceeded"
  | "rateLimitExceeded"
  | "flexUnavailable"
  | "serverOverloaded"
  | "modelNotFound"
  | "policyCapacityUnavailable"
  | "inferenceHookDenied"
  | "cyberPolicy"
  | "bioPolicy"
  | "misalignmentPolicyViolation"
  | "tooManyDenials"
  | { httpConnectionFailed: { httpStatusCode: number | null } }
  | { responseStreamConnectionFailed: { httpStatusCode: number | null } }
  | "internalServerError"
  | "unauthorized"
  | "badRequest"
  | "threadRollbackFailed"
  | "sandboxError"
  | { responseStreamDisconnected: { httpStatusCode: number | null } }
  | { responseTooManyFailedAttempts: { httpStatusCode: number | null } }
  | { activeTurnNotSteerable: { turnKind: NonSteerableTurnKind } }
  | "other"
  | string
  | { [key: string]: unknown };

type CollabAgentState = { status: CollabAgentStatus; message: string | null };

type CollabAgentStatus = "pendingInit" | "running" | "interrupted" | "completed" | "errored" | "shutdown" | "notFound";

type CollabAgentTool =
  | "spawnAgent"
  | "sendInput"
  | "resumeAgent"
  | "wait"
  | "closeAgent"
  | "sendMessage"
  | "followupTask"
  | "interruptAgent"
  | "listAgents";

type CollabAgentToolCallStatus = "inProgress" | "completed" | "failed" | "interrupted";

type CollaborationMode = { mode: ModeKind; settings: Settings };

type CommandAction =
  | { type: "read"; command: string; name: string; path: LegacyAppPathString }
  | { type: "listFiles"; command: string; path: string | null }
  | { type: "search"; command: string; query: string | null; path: string | null }
  | { type: "unknown"; command: string };

type CommandExecutionApprovalDecision =
  | "accept"
  | "acceptForSession"
  | { acceptWithExecpolicyAmendment: { execpolicy_amendment: ExecPolicyAmendment } }
  | { applyNetworkPolicyAmendment: { network_policy_amendment: NetworkPolicyAmendment } }
  | "decline"
  | "cancel";

type CommandExecutionApprovalKind = "command" | "humanCommand" | "writeStdin";

type CommandExecutionOutputDeltaNotification = { threadId: string; turnId: string; itemId: string; delta: string };

type CommandExecutionRequestApprovalParams = {
  kind: CommandExecutionApprovalKind;
  threadId: string;
  turnId: string;
  itemId: string;
  startedAtMs: number;
  approvalId?: string | null;
  environmentId: string | null;
  reason?: string | null;
  networkApprovalContext?: NetworkApprovalContext | null;
  command?: string | null;
  cwd?: LegacyAppPathString | null;
  commandActions?: Array<CommandAction> | null;
  additionalPermissions?: AdditionalPermissionProfile | null;
  proposedExecpolicyAmendment?: ExecPolicyAmendment | null;
  proposedNetworkPolicyAmendments?: Array<NetworkPolicyAmendment> | null;
  availableDecisions?: Array<CommandExecutionApprovalDecision> | null;
};

type CommandExecutionSource = "agent" | "userShell" | "unifiedExecStartup" | "unifiedExecInteraction";

type CommandExecutionStatus = "inProgress" | "completed" | "failed" | "declined";

type ConfigurationReasoning = { effort: ReasoningEffort };

type ContentItem =
  | { type: "input_text"; text: string }
  | ({ type: "input_image"; detail?: ImageDetail } & ({ image_url: string } | { file_id: string }))
  | ({ type: "input_audio" } & ({ audio_url: string } | { file_id: string }))
  | { type: "output_text"; text: string; annotations?: unknown[]; logprobs?: unknown[] };

type CreditsSnapshot = { hasCredits: boolean; unlimited: boolean; balance: string | null };

type CyberAccessProgram = "standard" | "daybreakBlue" | "daybreakRed";

type DynamicToolCallOutputContentItem =
  | { type: "inputText"; text: string }
  | { type: "inputImage"; imageUrl: string }
  | { type: "inputAudio"; audioUrl: string };

type DynamicToolCallParams = {
  threadId: string;
  turnId: string;
  callId: string;
  namespace: string | null;
  tool: string;
  arguments: JsonValue;
};

type DynamicToolCallStatus = "inProgress" | "completed" | "failed";

type DynamicToolFunctionSpec = { name: string; description: string; inputSchema: JsonValue; deferLoading?: boolean };

type DynamicToolNamespaceSpec = { name: string; description: string; tools: Array<DynamicToolNamespaceTool> };

type DynamicToolNamespaceTool = { type: "function" } & DynamicToolFunctionSpec;

type DynamicToolSpec =
  | ({ type: "function" } & DynamicToolFunctionSpec)
  | ({ type: "namespace" } & DynamicToolNamespaceSpec);

type ErrorNotification = { error: TurnError; willRetry: boolean; threadId: string; turnId: string };

type ExecPolicyAmendment = Array<string>;

type FileChangePatchUpdatedNotification = {
  threadId: string;
  turnId: string;
  itemId: string;
  changes: Array<FileUpdateChange>;
};

type FileChangeRequestApprovalParams = {
  threadId: string;
  turnId: string;
  itemId: string;
  startedAtMs: number;
  reason?: string | null;
  grantRoot?: string | null;
};

type FileSystemAccessMode = "read" | "write" | "deny";

type FileSystemPath =
  | { type: "path"; path: LegacyAppPathString }
  | { type: "glob_pattern"; pattern: string }
  | { type: "special"; value: FileSystemSpecialPath };

type FileSystemSandboxEntry = { path: FileSystemPath; access: FileSystemAccessMode };

type FileSystemSpecialPath =
  | { kind: "root" }
  | { kind: "minimal" }
  | { kind: "project_roots"; subpath: LegacyAppPathString | null }
  | { kind: "tmpdir" }
  | { kind: "slash_tmp" }
  | { kind: "unknown"; path: string; subpath: LegacyAppPathString | null };

type FileUpdateChange = { path: string; kind: PatchChangeKind; diff: string };

type FunctionCallOutputBody = string | Array<FunctionCallOutputContentItem>;

type FunctionCallOutputContentItem =
  | { type: "input_text"; text: string }
  | ({ type: "input_image"; detail?: ImageDetail } & ({ image_url: string } | { file_id: string }))
  | ({ type: "input_audio" } & ({ audio_url: string } | { file_id: string }))
  | { type: "encrypted_content"; encrypted_content: string };

type GitInfo = { sha: string | null; branch: string | null; originUrl: string | null };

type GuardianApprovalReview = {
  status: GuardianApprovalReviewStatus;
  riskLevel: GuardianRiskLevel | null;
  userAuthorization: GuardianUserAuthorization | null;
  rationale: string | null;
};

type GuardianApprovalReviewAction =
  | { type: "command"; source: GuardianCommandSource; command: string; cwd: LegacyAppPathString }
  | { type: "execve"; source: GuardianCommandSource; program: string; argv: Array<string>; cwd: AbsolutePathBuf }
  | { type: "writeStdin"; approvalId: string; processId: string; stdin: string; cwd: LegacyAppPathString }
  | { type: "applyPatch"; cwd: LegacyAppPathString; files: Array<LegacyAppPathString> }
  | { type: "networkAccess"; target: string; host: string; protocol: NetworkApprovalProtocol; port: number }
  | {
      type: "mcpToolCall";
      server: string;
      toolName: string;
      connectorId: string | null;
      connectorName: string | null;
      toolTitle: string | null;
    }
  | { type: "requestPermissions"; reason: string | null; permissions: RequestPermissionProfile };

type GuardianApprovalReviewStatus = "inProgress" | "approved" | "denied" | "timedOut" | "aborted";

type GuardianCommandSource = "shell" | "unifiedExec";

type GuardianRiskLevel = "low" | "medium" | "high" | "critical";

type GuardianUserAuthorization = "unknown" | "low" | "medium" | "high";

type HelplineSubject = "answer" | "prompt";

type HookPromptFragment = { text: string; hookRunId: string };

type ImageDetail = "auto" | "low" | "high" | "original";

type ImageGenerationFailure = { type: "usageLimitExceeded"; limitId: string; resetsAt: number | null };

type ImageGenerationInputImage = { path: AbsolutePathBuf; sha256: string };

type ImageGenerationItem = {
  id: string;
  status: string;
  revisedPrompt: string | null;
  transparentBackground?: boolean;
  failure: ImageGenerationFailure | null;
  savedPath?: AbsolutePathBuf;
  inputImages?: Array<ImageGenerationInputImage>;
  generationId: string | null;
} & ({ fileId: string } | { result: string });

type InitializeCapabilities = {
  requiredHumanApproval?: boolean;
  explicitGatewayOauth?: boolean;
  experimentalApi: boolean;
  requestAttestation: boolean;
  mcpServerOpenaiFormElicitation?: boolean;
  optOutNotificationMethods?: Array<string> | null;
  extensions?: { [key in string]?: JsonValue } | null;
};

type InitializeParams = { clientInfo: ClientInfo; capabilities: InitializeCapabilities | null };

type InitializeResponse = { userAgent: string; codexHome: AbsolutePathBuf; platformFamily: string; platformOs: string };

type InputModality = "text" | "image" | "audio";

type InternalChatMessageMetadataPassthrough = { turn_id?: string };

type ItemCompletedNotification = {
  item: ThreadItem;
  threadId: string;
  turnId: string;
  contentTokenCount?: number | null;
  completedAtMs: number;
};

type ItemGuardianApprovalReviewCompletedNotification = {
  threadId: string;
  turnId: string;
  startedAtMs: number;
  completedAtMs: number;
  reviewId: string;
  targetItemId: string | null;
  decisionSource: AutoReviewDecisionSource;
  review: GuardianApprovalReview;
  action: GuardianApprovalReviewAction;
};

type ItemStartedNotification = { item: ThreadItem; threadId: string; turnId: string; startedAtMs: number };

export type JsonValue = number | string | boolean | Array<JsonValue> | { [key in string]?: JsonValue } | null;

type LegacyAppPathString = string;

type LocalShellAction = { type: "exec" } & LocalShellExecAction;

type LocalShellExecAction = {
  command: Array<string>;
  timeout_ms: bigint | null;
  working_directory: string | null;
  env: { [key in string]?: string } | null;
  user: string | null;
};

type LocalShellStatus = "completed" | "in_progress" | "incomplete";

type McpAppDisplayMode = "inline" | "fullscreen";

type McpAppUi = { resourceUri: string; preferredModelDisplayMode: McpAppDisplayMode };

type McpElicitationArrayType = "array";

type McpElicitationBooleanSchema = {
  type: McpElicitationBooleanType;
  title?: string;
  description?: string;
  default?: boolean;
};

type McpElicitationBooleanType = "boolean";

type McpElicitationConstOption = { const: string; title: string };

type McpElicitationEnumSchema =
  | McpElicitationSingleSelectEnumSchema
  | McpElicitationMultiSelectEnumSchema
  | McpElicitationLegacyTitledEnumSchema;

type McpElicitationLegacyTitledEnumSchema = {
  type: McpElicitationStringType;
  title?: string;
  description?: string;
  enum: Array<string>;
  enumNames?: Array<string>;
  default?: string;
};

type McpElicitationMultiSelectEnumSchema =
  | McpElicitationUntitledMultiSelectEnumSchema
  | McpElicitationTitledMultiSelectEnumSchema;

type McpElicitationNumberSchema = {
  type: McpElicitationNumberType;
  title?: string;
  description?: string;
  minimum?: number;
  maximum?: number;
  default?: number;
};

type McpElicitationNumberType = "number" | "integer";

type McpElicitationObjectType = "object";

type McpElicitationPrimitiveSchema =
  | McpElicitationEnumSchema
  | McpElicitationStringSchema
  | McpElicitationNumberSchema
  | McpElicitationBooleanSchema;

type McpElicitationSchema = {
  $schema?: string;
  type: McpElicitationObjectType;
  properties: { [key in string]?: McpElicitationPrimitiveSchema };
  required?: Array<string>;
};

type McpElicitationSingleSelectEnumSchema =
  | McpElicitationUntitledSingleSelectEnumSchema
  | McpElicitationTitledSingleSelectEnumSchema;

type McpElicitationStringFormat = "email" | "uri" | "date" | "date-time";

type McpElicitationStringSchema = {
  type: McpElicitationStringType;
  title?: string;
  description?: string;
  minLength?: number;
  maxLength?: number;
  format?: McpElicitationStringFormat;
  default?: string;
};

type McpElicitationStringType = "string";

type McpElicitationTitledEnumItems = { anyOf: Array<McpElicitationConstOption> };

type McpElicitationTitledMultiSelectEnumSchema = {
  type: McpElicitationArrayType;
  title?: string;
  description?: string;
  minItems?: bigint;
  maxItems?: bigint;
  items: McpElicitationTitledEnumItems;
  default?: Array<string>;
};

type McpElicitationTitledSingleSelectEnumSchema = {
  type: McpElicitationStringType;
  title?: string;
  description?: string;
  oneOf: Array<McpElicitationConstOption>;
  default?: string;
};

type McpElicitationUntitledEnumItems = { type: McpElicitationStringType; enum: Array<string> };

type McpElicitationUntitledMultiSelectEnumSchema = {
  type: McpElicitationArrayType;
  title?: string;
  description?: string;
  minItems?: bigint;
  maxItems?: bigint;
  items: McpElicitationUntitledEnumItems;
  default?: Array<string>;
};

type McpElicitationUntitledSingleSelectEnumSchema = {
  type: McpElicitationStringType;
  title?: string;
  description?: string;
  enum: Array<string>;
  default?: string;
};

type McpServerElicitationRequestParams = {
  threadId: string;
  turnId: string | null;
  serverName: string;
  environmentId: string | null;
} & (
  | { mode: "openai/userVerification"; _meta: JsonValue | null; title: string; description: string; challenge: string }
  | { mode: "form"; _meta: JsonValue | null; message: string; requestedSchema: McpElicitationSchema }
  | { mode: "openai/form"; _meta: JsonValue | null; message: string; requestedSchema: JsonValue }
  | { mode: "openaiForm"; _meta: JsonValue | null; message: string; requestedSchema: JsonValue }
  | { mode: "url"; _meta: JsonValue | null; message: string; url: string; elicitationId: string }
);

type McpToolCallAppContext = {
  connectorId: string;
  linkId: string | null;
  resourceUri: string | null;
  appName: string | null;
  actionName: string | null;
};

type McpToolCallError = { message: string };

type McpToolCallProgressNotification = { threadId: string; turnId: string; itemId: string; message: string };

type McpToolCallResult = { content: Array<JsonValue>; structuredContent: JsonValue | null; _meta: JsonValue | null };

type McpToolCallStatus = "inProgress" | "completed" | "failed";

type MemoryCitation = { entries: Array<MemoryCitationEntry>; threadIds: Array<string> };

type MemoryCitationEntry = { path: string; lineStart: number; lineEnd: number; note: string };

type MessagePhase = "commentary" | "partial_answer" | "final_answer";

type MisalignmentErrorDetails = {
  errorType: string | null;
  detailedExplanation: string | null;
  steer: MisalignmentSteer | null;
  reviewTarget?: string | null;
};

type MisalignmentSteer = { message: string };

type ModeKind = "plan" | "default";

type Model = {
  id: string;
  model: string;
  upgrade: string | null;
  upgradeInfo: ModelUpgradeInfo | null;
  availabilityNux: ModelAvailabilityNux | null;
  displayName: string;
  description: string;
  modelSpecialty: string | null;
  hidden: boolean;
  supportedReasoningEfforts: Array<ReasoningEffortOption>;
  defaultReasoningEffort: ReasoningEffort;
  inputModalities: Array<InputModality>;
  supportsPersonality: boolean;
  multiAgentVersion: MultiAgentVersion | null;
  additionalSpeedTiers: Array<string>;
  serviceTiers: Array<ModelServiceTier>;
  defaultServiceTier: string | null;
  availableAccessPrograms: ModelAccessPrograms | null;
  isDefault: boolean;
};

type ModelAccessPrograms = {
  cyber: Array<CyberAccessProgram>;
};

type ModelAvailabilityNux = { message: string };

type ModelListParams = {
  modelProvider?: string | null;
  cursor?: string | null;
  limit?: number | null;
  includeHidden?: boolean | null;
};

type ModelListResponse = { data: Array<Model>; nextCursor: string | null };

type ModelRerouteReason = "highRiskCyberActivity";

type ModelReroutedNotification = {
  threadId: string;
  turnId: string;
  fromModel: string;
  toModel: string;
  reason: ModelRerouteReason;
};

type ModelServiceTier = { id: string; name: string; description: string };

type ModelUpgradeInfo = {
  model: string;
  upgradeCopy: string | null;
  modelLink: string | null;
  migrationMarkdown: string | null;
  retirementAt: number | null;
};

type MultiAgentMode = { custom: string } | "explicitRequestOnly" | "proactive";

type MultiAgentVersion = "disabled" | "v1" | "v2";

type NetworkAccess = "restricted" | "enabled";

type NetworkApprovalContext = { host: string; protocol: NetworkApprovalProtocol };

type NetworkApprovalProtocol = "http" | "https" | "socks5Tcp" | "socks5Udp";

type NetworkPolicyAmendment = { host: string; action: NetworkPolicyRuleAction };

type NetworkPolicyRuleAction = "allow" | "deny";

type NonSteerableTurnKind = "review" | "compact";

type OlderWebSearchAction =
  | { type: "search"; query?: string; queries?: Array<string> }
  | { type: "open_page"; url?: string }
  | { type: "find_in_page"; url?: string; pattern?: string }
  | { type: "other" };

type PatchApplyStatus = "inProgress" | "completed" | "failed" | "declined";

type PatchChangeKind = { type: "add" } | { type: "delete" } | { type: "update"; move_path: string | null };

type PermissionsRequestApprovalParams = {
  threadId: string;
  turnId: string;
  itemId: string;
  environmentId: string | null;
  startedAtMs: number;
  cwd: LegacyAppPathString;
  reason: string | null;
  permissions: RequestPermissionProfile;
};

type Personality = "none" | "friendly" | "pragmatic";

type PlanDeltaNotification = { threadId: string; turnId: string; itemId: string; delta: string };

type PlanType =
  | "free"
  | "go"
  | "plus"
  | "pro"
  | "prolite"
  | "promax"
  | "team"
  | "self_serve_business_prolite"
  | "self_serve_business_usage_based"
  | "business"
  | "ent26"
  | "enterprise_cbp_automation"
  | "enterprise_cbp_usage_based"
  | "enterprise"
  | "edu"
  | "edu_plus"
  | "edu_pro"
  | "sci"
  | "sci_plus"
  | "unknown";

type RateLimitReachedType =
  | "rate_limit_reached"
  | "workspace_owner_credits_depleted"
  | "workspace_member_credits_depleted"
  | "workspace_owner_usage_limit_reached"
  | "workspace_member_usage_limit_reached";

type RateLimitSnapshot = {
  limitId: string | null;
  limitName: string | null;
  normalModelSlug: string | null;
  primary: RateLimitWindow | null;
  secondary: RateLimitWindow | null;
  credits: CreditsSnapshot | null;
  individualLimit: SpendControlLimitSnapshot | null;
  spendControlReached: boolean | null;
  planType: PlanType | null;
  rateLimitReachedType: RateLimitReachedType | null;
};

type RateLimitWindow = { usedPercent: number; windowDurationMins: number | null; resetsAt: number | null };

type ReasoningEffort = string;

type ReasoningEffortOption = { reasoningEffort: ReasoningEffort; description: string };

type ReasoningItemContent = { type: "reasoning_text"; text: string } | { type: "text"; text: string };

type ReasoningItemReasoningSummary = { type: "summary_text"; text: string };

type ReasoningSummary = "auto" | "concise" | "detailed" | "none";

type ReasoningSummaryPartAddedNotification = { threadId: string; turnId: string; itemId: string; summaryIndex: number };

type ReasoningSummaryTextDeltaNotification = {
  threadId: string;
  turnId: string;
  itemId: string;
  delta: string;
  summaryIndex: number;
};

type ReasoningTextDeltaNotification = {
  threadId: string;
  turnId: string;
  itemId: string;
  delta: string;
  contentIndex: number;
};

type RequestId = string | number;

type RequestPermissionProfile = {
  network: AdditionalNetworkPermissions | null;
  fileSystem: AdditionalFileSystemPermissions | null;
};

type ResponseItem =
  | { type: "additional_tools"; id?: ResponseItemId; role: string; tools: unknown[] }
  | {
      type: "message";
      encrypted_content?: string;
      status?: string;
      id?: ResponseItemId;
      role: string;
      content: Array<ContentItem>;
      phase?: MessagePhase;
      internal_chat_message_metadata_passthrough?: InternalChatMessageMetadataPassthrough;
    }
  | {
      type: "agent_message";
      id?: ResponseItemId;
      author: string;
      recipient: string;
      content: Array<AgentMessageInputContent>;
      internal_chat_message_metadata_passthrough?: InternalChatMessageMetadataPassthrough;
    }
  | {
      type: "reasoning";
      id?: ResponseItemId;
      summary: Array<ReasoningItemReasoningSummary>;
      content?: Array<ReasoningItemContent>;
      encrypted_content: string | null;
      internal_chat_message_metadata_passthrough?: InternalChatMessageMetadataPassthrough;
    }
  | {
      type: "local_shell_call";
      encrypted_content?: string;
      id?: ResponseItemId;
      call_id: string | null;
      status: LocalShellStatus;
      action: LocalShellAction;
      internal_chat_message_metadata_passthrough?: InternalChatMessageMetadataPassthrough;
    }
  | {
      type: "function_call";
      encrypted_content?: string;
      status?: string;
      id?: ResponseItemId;
      name: string;
      namespace?: string;
      arguments: string;
      encrypted_function_args?: Array<string>;
      call_id: string;
      internal_chat_message_metadata_passthrough?: InternalChatMessageMetadataPassthrough;
    }
  | {
      type: "tool_search_call";
      encrypted_content?: string;
      id?: ResponseItemId;
      call_id: string | null;
      status?: string;
      execution: string;
      arguments: unknown;
      internal_chat_message_metadata_passthrough?: InternalChatMessageMetadataPassthrough;
    }
  | {
      type: "function_call_output";
      id?: ResponseItemId;
      call_id?: string;
      name?: string;
      namespace?: string;
      output: FunctionCallOutputBody;
      internal_chat_message_metadata_passthrough?: InternalChatMessageMetadataPassthrough;
    }
  | {
      type: "custom_tool_call";
      encrypted_content?: string;
      id?: ResponseItemId;
      status?: string;
      call_id: string;
      name: string;
      namespace?: string;
      input: string;
      internal_chat_message_metadata_passthrough?: InternalChatMessageMetadataPassthrough;
    }
  | {
      type: "custom_tool_call_output";
      id?: ResponseItemId;
      call_id: string;
      name?: string;
      output: FunctionCallOutputBody;
      internal_chat_message_metadata_passthrough?: InternalChatMessageMetadataPassthrough;
    }
  | {
      type: "tool_search_output";
      id?: ResponseItemId;
      call_id: string | null;
      status: string;
      execution: string;
      tools: unknown[];
      internal_chat_message_metadata_passthrough?: InternalChatMessageMetadataPassthrough;
    }
  | {
      type: "web_search_call";
      encrypted_content?: string;
      id?: ResponseItemId;
      status?: string;
      action?: OlderWebSearchAction;
      internal_chat_message_metadata_passthrough?: InternalChatMessageMetadataPassthrough;
    }
  | {
      type: "image_generation_call";
      encrypted_content?: string;
      id?: ResponseItemId;
      status: string;
      revised_prompt?: string;
      result: string;
      internal_chat_message_metadata_passthrough?: InternalChatMessageMetadataPassthrough;
    }
  | {
      type: "compaction";
      id?: ResponseItemId;
      encrypted_content: string;
      internal_chat_message_metadata_passthrough?: InternalChatMessageMetadataPassthrough;
    }
  | { type: "configuration_update"; reasoning: ConfigurationReasoning }
  | { type: "compaction_trigger" }
  | {
      type: "context_compaction";
      id?: ResponseItemId;
      encrypted_content?: string;
      internal_chat_message_metadata_passthrough?: InternalChatMessageMetadataPassthrough;
    }
  | { type: "other" };

type ResponseItemId = string;

type ReviewDelivery = "inline";

type ReviewStartParams = { threadId: string; target: ReviewTarget; delivery?: ReviewDelivery | null };

type ReviewStartResponse = { turn: Turn; reviewThreadId: string };

type ReviewTarget =
  | { type: "uncommittedChanges" }
  | { type: "baseBranch"; branch: string }
  | { type: "commit"; sha: string; title: string | null }
  | { type: "custom"; instructions: string };

type SandboxMode = "read-only" | "workspace-write" | "danger-full-access";

export type SandboxPolicy =
  | { type: "dangerFullAccess" }
  | { type: "readOnly"; networkAccess: boolean }
  | { type: "externalSandbox"; networkAccess: NetworkAccess }
  | {
      type: "workspaceWrite";
      writableRoots: Array<AbsolutePathBuf>;
      networkAccess: boolean;
      excludeTmpdirEnvVar: boolean;
      excludeSlashTmp: boolean;
    };

type SelectedCapabilityRoot = {
  id: string;
  location: CapabilityRootLocation;
};

type ServerRequestResolvedNotification = { threadId: string; requestId: RequestId };

type SessionSource =
  | "cli"
  | "vscode"
  | "exec"
  | "appServer"
  | { custom: string }
  | { subAgent: SubAgentSource }
  | "unknown";

type Settings = { model: string; reasoning_effort: ReasoningEffort | null; developer_instructions: string | null };

type SleepItem = { id: string; durationMs: number };

type SortDirection = "asc" | "desc";

type SpendControlLimitSnapshot = { limit: string; used: string; remainingPercent: number; resetsAt: number };

type SubAgentActivityKind = "started" | "interacted" | "interrupted" | "completed";

type SubAgentSource =
  | "review"
  | "compact"
  | {
      thread_spawn: {
        parent_thread_id: ThreadId;
        depth: number;
        agent_path: AgentPath | null;
        agent_nickname: string | null;
        agent_role: string | null;
      };
    }
  | "memory_consolidation"
  | { other: string };

type TextElement = {
  byteRange: ByteRange;
  placeholder: string | null;
};

type Thread = {
  id: string;
  environments: Array<ThreadEnvironment> | null;
  extra: ThreadExtra | null;
  sessionId: string;
  forkedFromId: string | null;
  attachedToThreadId: string | null;
  parentThreadId: string | null;
  preview: string;
  ephemeral: boolean;
  section: ThreadSection | null;
  sectionEnteredAt: number | null;
  projectId: string | null;
  historyMode: ThreadHistoryMode;
  modelProvider: string;
  model: string | null;
  reasoningEffort: ReasoningEffort | null;
  createdAt: number;
  updatedAt: number;
  recencyAt: number | null;
  status: ThreadStatus;
  path: string | null;
  cwd: AbsolutePathBuf;
  cliVersion: string;
  originator: string | null;
  source: SessionSource;
  canAcceptDirectInput: boolean | null;
  threadSource: ThreadSource | null;
  agentNickname: string | null;
  agentRole: string | null;
  gitInfo: GitInfo | null;
  name: string | null;
  daybreakEnabled: boolean | null;
  turns: Array<Turn>;
};

type ThreadActiveFlag = "waitingOnApproval" | "waitingOnUserInput";

type ThreadArchiveParams = { threadId: string };

type ThreadBackgroundTerminalsCleanParams = { threadId: string };

type ThreadCompactStartParams = { threadId: string };

type ThreadEnvironment = {
  environmentId: string;
  cwd: LegacyAppPathString;
  runtimeWorkspaceRoots: Array<LegacyAppPathString>;
};

type ThreadExtra = Record<string, never>;

type ThreadForkParams = {
  threadId: string;
  experimentalPredictionMode?: boolean;
  experimentalDisablePredictionMcp?: boolean;
  lastTurnId?: string | null;
  beforeTurnId?: string | null;
  path?: string | null;
  model?: string | null;
  modelProvider?: string | null;
  serviceTier?: string | null | null;
  cwd?: string | null;
  runtimeWorkspaceRoots?: Array<AbsolutePathBuf> | null;
  approvalPolicy?: AskForApproval | null;
  approvalsReviewer?: ApprovalsReviewer | null;
  sandbox?: SandboxMode | null;
  permissions?: string | null;
  config?: { [key in string]?: JsonValue } | null;
  baseInstructions?: string | null;
  developerInstructions?: string | null;
  ephemeral?: boolean;
  attachToSource?: boolean;
  threadSource?: ThreadSource | null;
  excludeTurns?: boolean;
  deferGoalContinuation?: boolean;
};

type ThreadForkResponse = {
  thread: Thread;
  model: string;
  modelProvider: string;
  serviceTier: string | null;
  disabledPluginIds: Array<string>;
  cwd: AbsolutePathBuf;
  runtimeWorkspaceRoots: Array<AbsolutePathBuf>;
  instructionSources: Array<LegacyAppPathString>;
  approvalPolicy: AskForApproval;
  approvalsReviewer: ApprovalsReviewer;
  sandbox: SandboxPolicy;
  activePermissionProfile: ActivePermissionProfile | null;
  reasoningEffort: ReasoningEffort | null;
  multiAgentMode: MultiAgentMode;
};

type ThreadHistoryMode = "legacy" | "paginated";

type ThreadId = string;

export type ThreadItem = {
  startedAtMs?: number | null;
  completedAtMs?: number | null;
} & (
  | { type: "userMessage"; id: string; clientId: string | null; content: Array<UserInput> }
  | { type: "hookPrompt"; id: string; fragments: Array<HookPromptFragment> }
  | {
      type: "agentMessage";
      moderation: AgentMessageModeration | null;
      id: string;
      text: string;
      phase: MessagePhase | null;
      memoryCitation: MemoryCitation | null;
      delivery: AgentMessageDelivery | null;
      questions: Array<AsyncUserInputQuestion> | null;
    }
  | { type: "functionCallOutput"; id: string; name: string; namespace: string | null; output: FunctionCallOutputBody }
  | { type: "plan"; id: string; text: string }
  | { type: "reasoning"; id: string; summary: Array<string>; content: Array<string> }
  | {
      type: "commandExecution";
      id: string;
      pluginId: string | null;
      scriptPath: string | null;
      command: string;
      cwd: LegacyAppPathString;
      processId: string | null;
      source: CommandExecutionSource;
      status: CommandExecutionStatus;
      commandActions: Array<CommandAction>;
      aggregatedOutput: string | null;
      exitCode: number | null;
      durationMs: number | null;
    }
  | { type: "fileChange"; id: string; changes: Array<FileUpdateChange>; status: PatchApplyStatus }
  | {
      type: "mcpToolCall";
      id: string;
      server: string;
      environmentId: string | null;
      tool: string;
      status: McpToolCallStatus;
      arguments: JsonValue;
      appContext: McpToolCallAppContext | null;
      mcpAppResourceUri?: string;
      mcpAppUi: McpAppUi | null;
      pluginId: string | null;
      readOnlyHint: boolean | null;
      result: McpToolCallResult | null;
      error: McpToolCallError | null;
      durationMs: number | null;
    }
  | {
      type: "dynamicToolCall";
      id: string;
      namespace: string | null;
      tool: string;
      arguments: JsonValue;
      status: DynamicToolCallStatus;
      contentItems: Array<DynamicToolCallOutputContentItem> | null;
      success: boolean | null;
      durationMs: number | null;
    }
  | {
      type: "collabAgentToolCall";
      id: string;
      tool: CollabAgentTool;
      status: CollabAgentToolCallStatus;
      senderThreadId: string;
      receiverThreadIds: Array<string>;
      prompt: string | null;
      model: string | null;
      reasoningEffort: ReasoningEffort | null;
      agentsStates: { [key in string]?: CollabAgentState };
    }
  | {
      type: "subAgentActivity";
      model: string | null;
      reasoningEffort: ReasoningEffort | null;
      id: string;
      kind: SubAgentActivityKind;
      agentThreadId: string;
      agentPath: string;
    }
  | ({ type: "webSearch" } & WebSearchItem)
  | { type: "imageView"; id: string; path: LegacyAppPathString }
  | ({ type: "sleep" } & SleepItem)
  | ({ type: "imageGeneration" } & ImageGenerationItem)
  | { type: "enteredReviewMode"; id: string; review: string }
  | { type: "exitedReviewMode"; id: string; review: string }
  | { type: "contextCompaction"; id: string }
);

type ThreadNameUpdatedNotification = { threadId: string; threadName?: string };

type ThreadResumeInitialTurnsPageParams = {
  limit?: number | null;
  sortDirection?: SortDirection | null;
  itemsView?: TurnItemsView | null;
};

type ThreadResumeParams = {
  threadId: string;
  history?: Array<ResponseItem> | null;
  path?: string | null;
  model?: string | null;
  modelProvider?: string | null;
  serviceTier?: string | null | null;
  cwd?: string | null;
  runtimeWorkspaceRoots?: Array<AbsolutePathBuf> | null;
  approvalPolicy?: AskForApproval | null;
  approvalsReviewer?: ApprovalsReviewer | null;
  sandbox?: SandboxMode | null;
  permissions?: string | null;
  config?: { [key in string]?: JsonValue } | null;
  baseInstructions?: string | null;
  developerInstructions?: string | null;
  personality?: Personality | null;
  excludeTurns?: boolean;
  initialTurnsPage?: ThreadResumeInitialTurnsPageParams | null;
};

type ThreadResumeResponse = {
  thread: Thread;
  model: string;
  modelProvider: string;
  serviceTier: string | null;
  disabledPluginIds: Array<string>;
  cwd: AbsolutePathBuf;
  runtimeWorkspaceRoots: Array<AbsolutePathBuf>;
  instructionSources: Array<LegacyAppPathString>;
  approvalPolicy: AskForApproval;
  approvalsReviewer: ApprovalsReviewer;
  sandbox: SandboxPolicy;
  activePermissionProfile: ActivePermissionProfile | null;
  reasoningEffort: ReasoningEffort | null;
  collaborationMode: CollaborationMode | null;
  multiAgentMode: MultiAgentMode;
  initialTurnsPage: TurnsPage | null;
  turnsBackwardsCursor: string | null;
  itemsBackwardsCursor: string | null;
};

type ThreadSection = {
  id: string;
  name: string;
  appearance: ThreadSectionAppearance | null;
};

type ThreadSectionAppearance = { icon: string | null; color: string | null };

type ThreadSettings = {
  disabledPluginIds: Array<string>;
  cwd: AbsolutePathBuf;
  environments: Array<ThreadEnvironment> | null;
  approvalPolicy: AskForApproval;
  approvalsReviewer: ApprovalsReviewer;
  sandboxPolicy: SandboxPolicy;
  activePermissionProfile: ActivePermissionProfile | null;
  model: string;
  modelProvider: string;
  serviceTier: string | null;
  effort: ReasoningEffort | null;
  summary: ReasoningSummary | null;
  collaborationMode: CollaborationMode;
  multiAgentMode: MultiAgentMode;
  personality: Personality | null;
};

type ThreadSettingsUpdateParams = {
  threadId: string;
  disabledPluginIds?: Array<string> | null;
  cwd?: string | null;
  environments?: Array<TurnEnvironmentParams> | null;
  approvalPolicy?: AskForApproval | null;
  approvalsReviewer?: ApprovalsReviewer | null;
  sandboxPolicy?: SandboxPolicy | null;
  permissions?: string | null;
  model?: string | null;
  serviceTier?: string | null | null;
  effort?: ReasoningEffort | null;
  summary?: ReasoningSummary | null;
  collaborationMode?: CollaborationMode | null;
  multiAgentMode?: MultiAgentMode | null;
  personality?: Personality | null;
};

type ThreadSettingsUpdatedNotification = { threadId: string; threadSettings: ThreadSettings };

type ThreadSource = string;

type ThreadStartParams = {
  model?: string | null;
  modelProvider?: string | null;
  allowProviderModelFallback?: boolean;
  serviceTier?: string | null | null;
  cwd?: string | null;
  runtimeWorkspaceRoots?: Array<AbsolutePathBuf> | null;
  approvalPolicy?: AskForApproval | null;
  approvalsReviewer?: ApprovalsReviewer | null;
  sandbox?: SandboxMode | null;
  permissions?: string | null;
  config?: { [key in string]?: JsonValue } | null;
  serviceName?: string | null;
  baseInstructions?: string | null;
  developerInstructions?: string | null;
  personality?: Personality | null;
  multiAgentMode?: MultiAgentMode | null;
  ephemeral?: boolean | null;
  historyMode?: ThreadHistoryMode | null;
  sessionStartSource?: ThreadStartSource | null;
  threadSource?: ThreadSource | null;
  projectId?: string | null;
  daybreakEnabled?: boolean | null;
  environments?: Array<TurnEnvironmentParams> | null;
  dynamicTools?: Array<DynamicToolSpec> | null;
  selectedCapabilityRoots?: Array<SelectedCapabilityRoot> | null;
  mockExperimentalField?: string | null;
  experimentalRawEvents?: boolean;
};

type ThreadStartResponse = {
  thread: Thread;
  model: string;
  modelProvider: string;
  serviceTier: string | null;
  disabledPluginIds: Array<string>;
  cwd: AbsolutePathBuf;
  runtimeWorkspaceRoots: Array<AbsolutePathBuf>;
  instructionSources: Array<LegacyAppPathString>;
  approvalPolicy: AskForApproval;
  approvalsReviewer: ApprovalsReviewer;
  sandbox: SandboxPolicy;
  activePermissionProfile: ActivePermissionProfile | null;
  reasoningEffort: ReasoningEffort | null;
  multiAgentMode: MultiAgentMode;
};

type ThreadStartSource = "startup" | "clear";

type ThreadStartedNotification = { thread: Thread };

type ThreadStatus =
  | { type: "notLoaded" }
  | { type: "idle" }
  | { type: "systemError" }
  | { type: "active"; activeFlags: Array<ThreadActiveFlag> };

type ThreadTokenUsage = { total: TokenUsageBreakdown; last: TokenUsageBreakdown; modelContextWindow: number | null };

type ThreadTokenUsageUpdatedNotification = { threadId: string; turnId: string; tokenUsage: ThreadTokenUsage };

type ThreadUnarchiveParams = { threadId: string };

type TokenUsageBreakdown = {
  totalTokens: number;
  inputTokens: number;
  cachedInputTokens: number;
  cacheWriteInputTokens: number;
  outputTokens: number;
  reasoningOutputTokens: number;
};

type ToolRequestUserInputOption = { label: string; description: string };

type ToolRequestUserInputParams = {
  threadId: string;
  turnId: string;
  itemId: string;
  questions: Array<ToolRequestUserInputQuestion>;
  isBlocking: boolean;
  autoResolutionMs: number | null;
};

type ToolRequestUserInputQuestion = {
  id: string;
  header: string;
  question: string;
  isOther: boolean;
  isSecret: boolean;
  options: Array<ToolRequestUserInputOption> | null;
};

type TrustedContacts = "check" | "skip";

type Turn = {
  id: string;
  rootTurnId: string | null;
  items: Array<ThreadItem>;
  itemsView: TurnItemsView;
  status: TurnStatus;
  error: TurnError | null;
  startedAt: number | null;
  completedAt: number | null;
  durationMs: number | null;
};

type TurnCompletedNotification = { threadId: string; turn: Turn };

type TurnDiffUpdatedNotification = { threadId: string; turnId: string; diff: string };

type TurnEnvironmentParams = {
  environmentId: string;
  cwd: LegacyAppPathString;
  runtimeWorkspaceRoots?: Array<LegacyAppPathString> | null;
};

type TurnError = {
  message: string;
  codexErrorInfo: CodexErrorInfo | null;
  additionalDetails: string | null;
  misalignment: MisalignmentErrorDetails | null;
};

type TurnInterruptParams = { threadId: string; turnId: string };

type TurnItemsView = "notLoaded" | "summary" | "full";

type TurnPlanStep = { step: string; status: TurnPlanStepStatus };

type TurnPlanStepStatus = "pending" | "inProgress" | "completed";

type TurnPlanUpdatedNotification = {
  threadId: string;
  turnId: string;
  explanation: string | null;
  plan: Array<TurnPlanStep>;
};

type TurnStartParams = {
  threadId: string;
  disabledPluginIds?: Array<string> | null;
  clientUserMessageId?: string | null;
  input: Array<UserInput>;
  turnTrigger?: string | null;
  parentTurnId?: string | null;
  rootTurnId?: string | null;
  toolOutput?: TurnToolOutput | null;
  responsesapiClientMetadata?: { [key in string]?: string } | null;
  responsesapiClientMetadataPatch?: { [key in string]?: string } | null;
  additionalContext?: { [key in string]?: AdditionalContextEntry } | null;
  environments?: Array<TurnEnvironmentParams> | null;
  cwd?: string | null;
  runtimeWorkspaceRoots?: Array<AbsolutePathBuf> | null;
  approvalPolicy?: AskForApproval | null;
  approvalsReviewer?: ApprovalsReviewer | null;
  sandboxPolicy?: SandboxPolicy | null;
  permissions?: string | null;
  model?: string | null;
  serviceTier?: string | null | null;
  serviceTierForTurn?: string | null;
  effort?: ReasoningEffort | null;
  summary?: ReasoningSummary | null;
  personality?: Personality | null;
  outputSchema?: JsonValue | null;
  collaborationMode?: CollaborationMode | null;
  multiAgentMode?: MultiAgentMode | null;
  cyberAccessProgram?: CyberAccessProgram | null;
};

type TurnStartResponse = { turn: Turn };

type TurnStartedNotification = { threadId: string; turn: Turn };

type TurnStatus = "completed" | "interrupted" | "failed" | "inProgress";

type TurnSteerParams = {
  threadId: string;
  clientUserMessageId?: string | null;
  input: Array<UserInput>;
  responsesapiClientMetadata?: { [key in string]?: string } | null;
  responsesapiClientMetadataPatch?: { [key in string]?: string } | null;
  additionalContext?: { [key in string]?: AdditionalContextEntry } | null;
  expectedTurnId: string;
};

type TurnToolOutput = { name: string; namespace: string | null; output: FunctionCallOutputBody; retain?: boolean };

type TurnsPage = { data: Array<Turn>; nextCursor: string | null; backwardsCursor: string | null };

export type UserInput =
  | { type: "text"; text: string; text_elements: Array<TextElement> }
  | ({ type: "image"; detail?: ImageDetail } & ({ url: string } | { fileId: string }))
  | { type: "localImage"; detail?: ImageDetail; path: string }
  | ({ type: "audio" } & ({ url: string } | { fileId: string }))
  | { type: "localAudio"; path: string }
  | { type: "skill"; name: string; path: string }
  | { type: "mention"; name: string; path: string };

type WebSearchAction =
  | { type: "search"; query: string | null; queries: Array<string> | null }
  | { type: "openPage"; url: string | null }
  | { type: "findInPage"; url: string | null; pattern: string | null }
  | { type: "other" };

type WebSearchItem = { id: string; query: string; action: WebSearchAction | null; results: Array<JsonValue> | null };

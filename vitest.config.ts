import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/{unit,conformance,integration}/**/*.test.ts"],
    globalSetup: "test/global-setup.ts",
    // Many tests wait for processes that they started.
    maxWorkers: "100%",
    testTimeout: 20_000,
    coverage: { provider: "v8", include: ["schemas/**", "adapters/**", "src/**"] },
  },
});

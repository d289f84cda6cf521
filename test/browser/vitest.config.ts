import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/browser/**/*.test.ts"],
    globalSetup: "test/global-setup.ts",
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});

# `make formula` writes the version, the archive's URL and its checksum into this.
class Dogwalk < Formula
  desc "Walk log at the prompt, for everyone who shares a dog"
  url "@URL@"
  version "@VERSION@"
  sha256 "@SHA256@"
  license "MIT"

  uses_from_macos "swift" => :build
  uses_from_macos "sqlite"
  uses_from_macos "zlib"

  def install
    # Homebrew builds in a sandbox, in which Swift's own cannot be set up.
    system "make", "install", "PREFIX=#{prefix}", "BUILD_FLAGS=--disable-sandbox"
  end

  test do
    ENV["DOGWALK_STORE"] = testpath/"DogWalk.sqlite"
    assert_match "New dog: Fido", shell_output("#{bin}/dogwalk add Fido 35m")
    assert_match "Fido", shell_output("#{bin}/dogwalk list")
  end
end

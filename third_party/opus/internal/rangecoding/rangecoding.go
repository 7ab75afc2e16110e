// SPDX-FileCopyrightText: 2026 The Pion community <https://pion.ly>
// SPDX-License-Identifier: MIT

// Package rangecoding provides a Range coder for the Opus bitstream
package rangecoding

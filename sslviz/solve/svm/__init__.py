r"""Solvers of support vector machines: the quadratic programs of LapSVM and S3VM.

**The problems.** LapSVM is one support vector machine (SVM) with a bias b on l labelled points and
a deformed kernel K. S3VM is a sequence of SVMs on all n points: with the signs s of the unlabelled
points fixed and the kernel C centred on the mean of the unlabelled points, the balance constraint
removes the bias, and the dual is a quadratic program with box constraints and nothing else,

    min_β ½ βᵀCβ − qᵀβ,   low ≤ β ≤ high,   q = s − m,   gradient g = Cβ − q

where β_i lies between 0 and s_i c_i, c_i the weight of the point. A coordinate is *free* strictly
inside its interval (the point lies on the edge of the margin) and *at a bound* otherwise. Label
switching solves several of these programs at every weight of the unlabelled points, each differing
from the last in some signs only; early ones need only the signs of the solution, the last one needs
a duality gap of zero up to rounding, which is the proof that it is optimal.

**Which solver when.**

    svm.py                   one SVM with a bias (LapSVM, and S3VM without unlabelled points): the
                             dual by libsvm or the primal by Newton's method, then made exact
    smoothed_hinge.py        the hinge with its kink rounded to a parabola: a piecewise quadratic
                             primal, for svm.py and for S3VM with a linear kernel in few dimensions,
                             where C is singular and dual methods converge slowly
    box_qp.py                the box QP to any gap: working sets of 64 coordinates by exact
                             coordinate descent, alternating with Newton steps on the free ones
    box_newton.py            that Newton step: conjugate gradients far from the optimum, a Cholesky
                             factorisation near it
    box_projected_newton.py  the Newton step for few free coordinates: coordinates that reach a
                             bound are deleted from the factor, and the others go on

**Why not libsvm for all.** libsvm cannot start from a given β, so every program of the sequence
would start from zero; its dual always has the equality constraint of a bias, which is absent here;
with large c_i its pairwise steps converge slowly, and its stopping rule does not reach a gap near
rounding. LapSVM, a single small program, does use libsvm first.

Everything compiled runs without the interpreter lock: classes are solved in parallel threads.
"""
